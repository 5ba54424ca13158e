%% Arrays of numbers without a sign.
-module(unsigned_atomics).
-export([main/0]).

main() ->
    Array = atomics:new(2, [{signed, false}]),
    ok = atomics:sub(Array, 1, 1),
    io:format("~p~n", [atomics:get(Array, 1)]),
    io:format("~p ~p~n", [atomics:add_get(Array, 1, 2), atomics:sub_get(Array, 1, 3)]),
    #{max := Max, min := Min, size := 2} = atomics:info(Array),
    io:format("~p ~p~n", [Max, Min]),
    [io:format("~p~n", [wrong(fun() -> atomics:put(Array, 1, Value) end)]) || Value <- [-1, 1 bsl 64, a, Max]],
    io:format("~p~n", [atomics:compare_exchange(Array, 1, Max, 7)]),
    io:format("~p~n", [atomics:compare_exchange(Array, 1, 8, 9)]),
    io:format("~p ~p~n", [atomics:exchange(Array, 1, (1 bsl 63) + 1), atomics:get(Array, 1)]).

wrong(F) ->
    try F() catch error:Reason -> Reason end.
