%! run: duplicate_bag_counts:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 69, transitions = 130, depth = 18
%! stateless(optimal): holds, interleavings = 2
%% A duplicate bag keeps equal objects apart, a bag does not.
-module(duplicate_bag_counts).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    D = ets:new(d, [duplicate_bag, public]),
    B = ets:new(b, [bag, public]),
    Self = self(),
    [spawn(fun() -> ets:insert(D, {k, x}), ets:insert(B, {k, x}), Self ! done end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual({2, 1}, {length(ets:lookup(D, k)), length(ets:lookup(B, k))}).
