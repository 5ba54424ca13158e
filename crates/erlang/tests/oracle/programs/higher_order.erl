%% Folds, zips, partitions and friends over one list.
-module(higher_order).
-export([main/0]).

main() ->
    L = lists:seq(1, 10),
    p(lists:foldl(fun(X, {E, O}) when X rem 2 =:= 0 -> {[X | E], O}; (X, {E, O}) -> {E, [X | O]} end, {[], []}, L)),
    p(lists:mapfoldl(fun(X, S) -> {X + S, X + S} end, 0, L)),
    p(lists:partition(fun(X) -> X > 3 end, L)),
    p(lists:zipwith(fun(A, B) -> A * B end, L, lists:reverse(L))),
    p(lists:takewhile(fun(X) -> X < 4 end, L) ++ lists:dropwhile(fun(X) -> X < 8 end, L)),
    p(lists:flatmap(fun(X) -> lists:duplicate(X rem 3, X) end, L)),
    p(lists:any(fun(X) -> X > 9 end, L) andalso lists:all(fun is_integer/1, L)),
    p(lists:search(fun(X) -> X * X > 50 end, L)),
    p(lists:filtermap(fun(X) -> X > 7 andalso {true, {x, X}} end, L)).

p(X) -> io:format("~p~n", [X]).
