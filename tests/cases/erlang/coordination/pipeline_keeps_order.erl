%! run: pipeline_keeps_order:test/0
%! verdict: holds
%% Three stages in a row keep the order of what flows through them.
-module(pipeline_keeps_order).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Last = spawn(fun() -> stage(fun(N) -> N * 10 end, Self) end),
    First = spawn(fun() -> stage(fun(N) -> N + 1 end, Last) end),
    [First ! N || N <- [1, 2]],
    First ! stop,
    L = [receive X -> X end || _ <- [1, 2, 3]],
    ?assertEqual([20, 30, stop], L).

stage(F, Next) ->
    receive stop -> Next ! stop; N -> Next ! F(N), stage(F, Next) end.
