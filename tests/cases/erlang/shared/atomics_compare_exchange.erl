%! run: atomics_compare_exchange:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 83, transitions = 155, depth = 12
%! stateless(optimal): holds, interleavings = 4
%% Of two compare-and-swaps from the same value one succeeds.
-module(atomics_compare_exchange).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    A = atomics:new(1, []),
    Self = self(),
    [spawn(fun() -> Self ! {r, atomics:compare_exchange(A, 1, 0, N)} end) || N <- [1, 2]],
    L = [receive {r, R} -> R end || _ <- [1, 2]],
    ?assertEqual(1, length([ok || ok <- L])).
