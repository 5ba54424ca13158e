%! run: pipeline_split_loses_order:test/0
%! verdict: assertion
%% Two parallel workers in the middle of a pipeline do not keep the order.
-module(pipeline_split_loses_order).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Workers = [spawn(fun() -> receive N -> Self ! N * 10 end end) || _ <- [1, 2]],
    [W ! N || {W, N} <- lists:zip(Workers, [1, 2])],
    L = [receive X -> X end || _ <- [1, 2]],
    ?assertEqual([10, 20], L).
