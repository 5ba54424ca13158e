%! run: two_senders_any_order:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 37, transitions = 68, depth = 9
%! stateless(optimal): holds, interleavings = 2
%% Two senders race, but the sum does not depend on who was first.
-module(two_senders_any_order).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 2]],
    A = receive X -> X end,
    B = receive Y -> Y end,
    ?assertEqual(3, A + B).
