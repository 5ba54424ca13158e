%% A million tail calls, direct and mutual.
-module(tail_recursion).
-export([main/0]).

main() ->
    p(loop(1000000, 0)),
    p(even(100001)).

loop(0, Acc) -> Acc;
loop(N, Acc) -> loop(N - 1, Acc + N).

even(0) -> true;
even(N) -> odd(N - 1).

odd(0) -> false;
odd(N) -> even(N - 1).

p(X) -> io:format("~p~n", [X]).
