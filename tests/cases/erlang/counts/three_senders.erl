%! run: three_senders:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 262, transitions = 658, depth = 13
%! stateless(optimal): holds, interleavings = 6
%% Three messages arrive in any order; each order is a path, equal mailboxes merge.
-module(three_senders).
-export([test/0]).

test() ->
    Main = self(),
    [spawn(fun() -> Main ! N end) || N <- [1, 2, 3]],
    [1, 2, 3] = lists:sort([receive N -> N end || _ <- [1, 2, 3]]).
