%! run: transfer_by_counters:test/0
%! verdict: holds
%% Transfers as additions commute: the balances are right in any order.
-module(transfer_by_counters).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(bank, [public]),
    ets:insert(T, [{a, 10}, {b, 10}]),
    Self = self(),
    [spawn(fun() -> transfer(T, From, To, N), Self ! done end) || {From, To, N} <- [{a, b, 4}, {b, a, 1}]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual([{a, 7}, {b, 13}], lists:sort(ets:tab2list(T))).

transfer(T, From, To, N) ->
    ets:update_counter(T, From, -N),
    ets:update_counter(T, To, N).
