%! run: snapshot_without_marker:test/0
%! verdict: assertion
%% Asking both banks separately counts money twice or not at all.
-module(snapshot_without_marker).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    B = spawn(fun() -> bank(10, 3) end),
    A = spawn(fun() -> receive pay -> B ! {money, 3}, receive {how_much, P} -> P ! {has, 7} end;
                               {how_much, P} -> P ! {has, 10}, receive pay -> B ! {money, 3} end end end),
    spawn(fun() -> A ! pay end),
    A ! {how_much, self()},
    B ! {how_much, self()},
    X = receive {has, M} -> M end,
    Y = receive {b_has, N} -> N end,
    B ! close,
    ?assertEqual(20, X + Y).

bank(_, 0) -> ok;
bank(N, K) ->
    receive
        {money, M} -> bank(N + M, K - 1);
        {how_much, P} -> P ! {b_has, N}, bank(N, K - 1);
        close -> bank(N, K - 1)
    end.
