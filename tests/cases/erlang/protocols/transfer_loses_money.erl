%! run: transfer_loses_money:test/0
%! verdict: assertion
%% Two transfers that each read both balances first undo each other.
-module(transfer_loses_money).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(bank, [public]),
    ets:insert(T, [{a, 10}, {b, 10}]),
    Self = self(),
    [spawn(fun() -> transfer(T, From, To, 4), Self ! done end) || {From, To} <- [{a, b}, {b, a}]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual([{a, 10}, {b, 10}], lists:sort(ets:tab2list(T))).

transfer(T, From, To, N) ->
    F = ets:lookup_element(T, From, 2),
    V = ets:lookup_element(T, To, 2),
    ets:insert(T, [{From, F - N}, {To, V + N}]).
