%% Matrices as lists of lists.
-module(matrix).
-export([main/0]).

main() ->
    A = [[1, 2], [3, 4]],
    p(mul(A, A)),
    p(transpose([[1, 2, 3], [4, 5, 6]])),
    p(power(A, 10)),
    p(lists:sum(lists:append(A))).

transpose([[] | _]) -> [];
transpose(M) -> [[hd(R) || R <- M] | transpose([tl(R) || R <- M])].

mul(A, B) ->
    Columns = transpose(B),
    [[lists:sum(lists:zipwith(fun(X, Y) -> X * Y end, R, C)) || C <- Columns] || R <- A].

power(M, 1) -> M;
power(M, N) -> mul(M, power(M, N - 1)).

p(X) -> io:format("~p~n", [X]).
