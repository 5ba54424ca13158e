%% Funs that call themselves by name, also in nested scopes.
-module(named_funs).
-export([main/0]).

main() ->
    Fact = fun F(0) -> 1; F(N) -> N * F(N - 1) end,
    p(Fact(20)),
    Fib = fun Fib(0) -> 0; Fib(1) -> 1; Fib(N) -> Fib(N - 1) + Fib(N - 2) end,
    p([Fib(N) || N <- lists:seq(0, 10)]),
    Ack = fun A(0, N) -> N + 1; A(M, 0) -> A(M - 1, 1); A(M, N) -> A(M - 1, A(M, N - 1)) end,
    p(Ack(2, 3)),
    Walk = fun W({L, X, R}) -> W(L) ++ [X] ++ W(R); W(nil) -> [] end,
    p(Walk({{nil, 1, nil}, 2, {nil, 3, nil}})).

p(X) -> io:format("~p~n", [X]).
