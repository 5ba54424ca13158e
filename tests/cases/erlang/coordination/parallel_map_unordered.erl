%! run: parallel_map_unordered:test/0
%! verdict: assertion
%% A parallel map that collects in order of arrival mixes its results up.
-module(parallel_map_unordered).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    ?assertEqual([1, 4], pmap(fun(N) -> N * N end, [1, 2])).

pmap(F, L) ->
    Self = self(),
    [spawn(fun() -> Self ! {result, F(X)} end) || X <- L],
    [receive {result, Y} -> Y end || _ <- L].
