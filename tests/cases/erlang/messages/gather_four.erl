%! run: gather_four:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 2593, transitions = 8032, depth = 17
%! stateless(optimal): holds, interleavings = 24
%% Four senders in any of 24 orders; the sorted list is always the same.
-module(gather_four).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 2, 3, 4]],
    L = [receive X -> X end || _ <- [1, 2, 3, 4]],
    ?assertEqual([1, 2, 3, 4], lists:sort(L)).
