%! run: guard_selects:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 31, transitions = 55, depth = 9
%! stateless(optimal): holds, interleavings = 1
%% The guard keeps the small number in the mailbox until the large one was handled.
-module(guard_selects).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 20]],
    Large = receive N when N > 10 -> N end,
    Small = receive M -> M end,
    ?assertEqual({20, 1}, {Large, Small}).
