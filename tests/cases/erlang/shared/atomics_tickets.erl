%! run: atomics_tickets:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 627, transitions = 1674, depth = 17
%! stateless(optimal): holds, interleavings = 36
%% add_get gives everybody a ticket of his own.
-module(atomics_tickets).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    A = atomics:new(1, []),
    Self = self(),
    [spawn(fun() -> Self ! {ticket, atomics:add_get(A, 1, 1)} end) || _ <- [1, 2, 3]],
    L = [receive {ticket, N} -> N end || _ <- [1, 2, 3]],
    ?assertEqual([1, 2, 3], lists:sort(L)).
