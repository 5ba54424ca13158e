-module(sorts).
-export([main/0]).

main() ->
    L = [X * 7919 rem 101 || X <- lists:seq(1, 40)],
    Expected = lists:sort(L),
    [io:format("~p ~p~n", [Name, F(L) =:= Expected])
     || {Name, F} <- [{quick, fun quick/1}, {merge, fun merge_sort/1}, {insertion, fun insertion/1}]],
    io:format("~w~n", [primes(50)]),
    io:format("~p~n", [fib(25)]),
    io:format("~p~n", [hanoi(5, a, b, c)]),
    io:format("~p~n", [length(queens(6))]).

quick([]) -> [];
quick([P | T]) -> quick([X || X <- T, X < P]) ++ [P] ++ quick([X || X <- T, X >= P]).

merge_sort([]) -> [];
merge_sort([X]) -> [X];
merge_sort(L) ->
    {A, B} = lists:split(length(L) div 2, L),
    lists:merge(merge_sort(A), merge_sort(B)).

insertion(L) -> lists:foldl(fun insert/2, [], L).
insert(X, [Y | T]) when X > Y -> [Y | insert(X, T)];
insert(X, L) -> [X | L].

primes(N) -> sieve(lists:seq(2, N)).
sieve([]) -> [];
sieve([P | T]) -> [P | sieve([X || X <- T, X rem P =/= 0])].

fib(N) -> fib(N, 0, 1).
fib(0, A, _) -> A;
fib(N, A, B) -> fib(N - 1, B, A + B).

hanoi(0, _, _, _) -> 0;
hanoi(N, A, B, C) -> hanoi(N - 1, A, C, B) + 1 + hanoi(N - 1, C, B, A).

queens(N) -> queens(N, N).
queens(0, _) -> [[]];
queens(K, N) -> [[Q | Qs] || Qs <- queens(K - 1, N), Q <- lists:seq(1, N), safe(Q, 1, Qs)].
safe(_, _, []) -> true;
safe(Q, D, [H | T]) -> Q =/= H andalso abs(Q - H) =/= D andalso safe(Q, D + 1, T).
