%% Queries over lists and tables.
-module(queries).
-export([main/0]).
-include_lib("stdlib/include/qlc.hrl").

main() ->
    Table = ets:new(squares, [ordered_set]),
    ets:insert(Table, [{N, N * N} || N <- lists:seq(1, 6)]),
    Even = qlc:q([S || {N, S} <- ets:table(Table), N rem 2 =:= 0]),
    io:format("~p ~p~n", [qlc:e(Even), qlc:eval(Even)]),
    Pairs = qlc:q([{X, S} || X <- [a, b], S <- Even]),
    io:format("~p~n", [lists:sort(qlc:e(Pairs))]),
    io:format("~p~n", [qlc:fold(fun(S, Sum) -> S + Sum end, 0, Even)]),
    io:format("~p~n", [qlc:fold(fun(S, Sum) -> S + Sum end, 0, Even, [])]),
    io:format("~p~n", [lists:sort(qlc:e(qlc:q([X rem 2 || X <- [1, 2, 3, 4]], [unique])))]),
    io:format("~p~n", [lists:sort(qlc:e(qlc:q([X rem 2 || X <- [1, 2, 3]]), [{unique_all, true}]))]),
    io:format("~p~n", [qlc:eval(qlc:sort([3, 1, 2]), [])]),
    io:format("~p~n", [qlc:e(qlc:sort([3, 1, 2], []))]),
    io:format("~p~n", [qlc:e(qlc:keysort(1, [{2, a}, {1, b}]))]),
    io:format("~p~n", [qlc:e(qlc:keysort(1, [{2, a}, {1, b}], []))]),
    io:format("~p~n", [qlc:e(qlc:append([[1], [2, 3]]))]),
    io:format("~p~n", [qlc:e(qlc:append([1], qlc:q([X + 1 || X <- [1]])))]),
    Own = qlc:table(fun() -> [x | fun() -> [y] end] end, []),
    io:format("~p~n", [qlc:e(qlc:q([{Z} || Z <- Own]))]),
    Cursor = qlc:cursor(qlc:q([X || X <- lists:seq(1, 12)])),
    io:format("~w~n", [qlc:next_answers(Cursor)]),
    io:format("~w~n", [qlc:next_answers(Cursor, 5)]),
    ok = qlc:delete_cursor(Cursor),
    Other = qlc:cursor([p, q], []),
    io:format("~w~n", [qlc:next_answers(Other, all_remaining)]),
    io:format("~p~n", [qlc:e(qlc:q([N || {N, _} <- ets:table(Table, [{traverse, first_next}]), N > 4]))]).
