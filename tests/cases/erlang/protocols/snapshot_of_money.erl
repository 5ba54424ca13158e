%! run: snapshot_of_money:test/0
%! verdict: holds
%% The marker follows the last transfer on its channel, so the snapshot counts the money on its way too.
-module(snapshot_of_money).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    B = spawn(fun() -> bank_b(10, Self) end),
    spawn(fun() ->
        B ! {money, 3},
        Self ! {has, 7},
        B ! marker
    end),
    X = receive {has, A} -> A end,
    Y = receive {b_has, V} -> V end,
    ?assertEqual(20, X + Y).

bank_b(N, Boss) ->
    receive {money, K} -> bank_b(N + K, Boss); marker -> Boss ! {b_has, N} end.
