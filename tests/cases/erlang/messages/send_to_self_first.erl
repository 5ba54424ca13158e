%! run: send_to_self_first:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 12, transitions = 15, depth = 7
%! stateless(optimal): holds, interleavings = 1
%% The message to oneself is in the mailbox before the child exists.
-module(send_to_self_first).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Self ! mine,
    spawn(fun() -> Self ! childs end),
    A = receive X -> X end,
    ?assertEqual(mine, A),
    receive childs -> ok end.
