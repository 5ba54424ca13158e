%! run: bag_order_assumed:test/0
%! verdict: assertion
%% A bag's objects of one key come in the order of their insertion, which is a race.
-module(bag_order_assumed).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [bag, public]),
    Self = self(),
    [spawn(fun() -> ets:insert(T, {k, N}), Self ! done end) || N <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual([{k, 1}, {k, 2}], ets:lookup(T, k)).
