%% Moves of the towers of Hanoi.
-module(hanoi).
-export([main/0]).

main() ->
    p(hanoi(3, a, b, c)),
    p(length(hanoi(10, a, b, c))).

hanoi(0, _, _, _) -> [];
hanoi(N, A, B, C) -> hanoi(N - 1, A, C, B) ++ [{A, C}] ++ hanoi(N - 1, B, A, C).

p(X) -> io:format("~p~n", [X]).
