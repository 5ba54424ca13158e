%% Sorting, primes, permutations and queens with comprehensions.
-module(comprehension_programs).
-export([main/0]).

main() ->
    p(qsort([3, 1, 4, 1, 5, 9, 2, 6])),
    p(primes(30)),
    p(perms([1, 2, 3])),
    p(length(queens(6))),
    p(hd(queens(8))),
    p(lists:sort([{A, B} || A <- [1, 2, 3], B <- [1, 2, 3], A < B])),
    p(<< <<(X + 1)>> || <<X>> <= <<"HAL">> >>).

qsort([]) -> [];
qsort([P | T]) -> qsort([X || X <- T, X < P]) ++ [P] ++ qsort([X || X <- T, X >= P]).

primes(N) -> sieve(lists:seq(2, N)).

sieve([]) -> [];
sieve([P | T]) -> [P | sieve([X || X <- T, X rem P =/= 0])].

perms([]) -> [[]];
perms(L) -> [[H | T] || H <- L, T <- perms(L -- [H])].

queens(N) -> queens(N, N).
queens(0, _) -> [[]];
queens(K, N) -> [[Q | Qs] || Qs <- queens(K - 1, N), Q <- lists:seq(1, N), safe(Q, Qs, 1)].

safe(_, [], _) -> true;
safe(Q, [H | T], D) -> Q =/= H andalso abs(Q - H) =/= D andalso safe(Q, T, D + 1).

p(X) -> io:format("~p~n", [X]).
