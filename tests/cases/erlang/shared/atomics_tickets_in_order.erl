%! run: atomics_tickets_in_order:test/0
%! verdict: assertion
%% The tickets are unique, but nothing says who has the first.
-module(atomics_tickets_in_order).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    A = atomics:new(1, []),
    Self = self(),
    [spawn(fun() -> Self ! {ticket, N, atomics:add_get(A, 1, 1)} end) || N <- [1, 2]],
    receive {ticket, 1, T} -> ?assertEqual(1, T) end.
