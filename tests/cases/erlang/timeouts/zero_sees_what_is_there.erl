%! run: zero_sees_what_is_there:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 4, transitions = 3, depth = 3
%! stateless(optimal): holds, interleavings = 1
%% after 0 fires only when nothing fits, and here the message is already in the mailbox.
-module(zero_sees_what_is_there).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    self() ! hello,
    R = receive hello -> got after 0 -> empty end,
    ?assertEqual(got, R).
