%! run: same_object_twice:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 50, transitions = 93, depth = 14
%! stateless(optimal): holds, interleavings = 2
%% Writing the same object twice is the same in either order.
-module(same_object_twice).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    Self = self(),
    [spawn(fun() -> ets:insert(T, {k, same}), Self ! done end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual([{k, same}], ets:lookup(T, k)).
