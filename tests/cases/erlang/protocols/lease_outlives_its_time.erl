%! run: lease_outlives_its_time:test/0
%! verdict: assertion
%% A lease that ends by the server's clock may still be believed by its holder.
-module(lease_outlives_its_time).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {users, 0}),
    Server = spawn(fun() -> lease(2) end),
    Self = self(),
    [spawn(fun() ->
        Server ! {lease, self()},
        receive granted -> ok end,
        N = ets:update_counter(T, users, 1),
        ets:update_counter(T, users, -1),
        Server ! {release, self()},
        Self ! {saw, N}
    end) || _ <- [1, 2]],
    L = [receive {saw, N} -> N end || _ <- [1, 2]],
    ?assertEqual([1, 1], L).

lease(0) -> ok;
lease(K) ->
    receive {lease, P} -> P ! granted, receive {release, P} -> ok after 1000 -> expired end, lease(K - 1) end.
