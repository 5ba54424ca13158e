%! run: same_sender_in_order:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 12, transitions = 15, depth = 7
%! stateless(optimal): holds, interleavings = 1
%% Two messages from one process to another keep their order.
-module(same_sender_in_order).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    spawn(fun() -> Self ! first, Self ! second end),
    A = receive X -> X end,
    B = receive Y -> Y end,
    ?assertEqual({first, second}, {A, B}).
