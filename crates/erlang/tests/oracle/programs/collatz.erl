%% A loop with div and rem, and the longest chain.
-module(collatz).
-export([main/0]).

main() ->
    p(chain(27, 0)),
    p(lists:max([{chain(N, 0), N} || N <- lists:seq(1, 1000)])).

chain(1, N) -> N;
chain(X, N) when X rem 2 =:= 0 -> chain(X div 2, N + 1);
chain(X, N) -> chain(3 * X + 1, N + 1).

p(X) -> io:format("~p~n", [X]).
