%! run: different_keys_do_not_race:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 50, transitions = 93, depth = 14
%! stateless(optimal): holds, interleavings = 2
%% Writers of different keys do not disturb each other.
-module(different_keys_do_not_race).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    Self = self(),
    [spawn(fun() -> ets:insert(T, {K, K}), Self ! done end) || K <- [a, b]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual([{a, a}, {b, b}], lists:sort(ets:tab2list(T))).
