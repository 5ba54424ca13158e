%! run: many_mailboxes:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 80, transitions = 189, depth = 13
%! stateless(optimal): holds, interleavings = 1
%% Each of three workers has a mailbox of its own: their deliveries are independent, and one order says it all.
-module(many_mailboxes).
-export([test/0]).

test() ->
    [spawn(fun() -> receive N -> N end end) ! N || N <- [1, 2, 3]].
