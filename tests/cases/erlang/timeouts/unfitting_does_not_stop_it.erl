%! run: unfitting_does_not_stop_it:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 5, transitions = 4, depth = 4
%! stateless(optimal): holds, interleavings = 1
%% A message that does not fit does not keep the timeout from firing, and stays in the mailbox.
-module(unfitting_does_not_stop_it).
-export([test/0]).

test() ->
    self() ! other,
    timeout = receive wanted -> wanted after 10 -> timeout end,
    receive other -> ok after 0 -> error(lost) end.
