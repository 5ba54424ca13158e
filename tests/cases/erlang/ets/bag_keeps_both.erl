%! run: bag_keeps_both:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 79, transitions = 151, depth = 14
%! stateless(optimal): holds, interleavings = 4
%% In a bag two objects with one key live side by side.
-module(bag_keeps_both).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [bag, public]),
    Self = self(),
    [spawn(fun() -> ets:insert(T, {k, N}), Self ! done end) || N <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual([{k, 1}, {k, 2}], lists:sort(ets:lookup(T, k))).
