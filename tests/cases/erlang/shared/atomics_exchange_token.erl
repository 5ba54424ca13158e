%! run: atomics_exchange_token:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 60, transitions = 112, depth = 13
%! stateless(optimal): holds, interleavings = 4
%% exchange hands the token to exactly one of two.
-module(atomics_exchange_token).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    A = atomics:new(1, []),
    atomics:put(A, 1, 1),
    Self = self(),
    [spawn(fun() -> Self ! {got, atomics:exchange(A, 1, 0)} end) || _ <- [1, 2]],
    L = [receive {got, N} -> N end || _ <- [1, 2]],
    ?assertEqual(1, lists:sum(L)).
