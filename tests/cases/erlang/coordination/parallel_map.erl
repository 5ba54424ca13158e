%! run: parallel_map:test/0
%! verdict: holds
%% A parallel map collects by reference and keeps the order of its input.
-module(parallel_map).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    ?assertEqual([1, 4, 9], pmap(fun(N) -> N * N end, [1, 2, 3])).

pmap(F, L) ->
    Self = self(),
    Refs = [begin R = make_ref(), spawn(fun() -> Self ! {R, F(X)} end), R end || X <- L],
    [receive {R, Y} -> Y end || R <- Refs].
