%% Recursion that is not tail recursion, a hundred thousand deep.
-module(deep_recursion).
-export([main/0]).

main() ->
    p(count(100000)),
    p(length(build(100000))).

count(0) -> 0;
count(N) -> 1 + count(N - 1).

build(0) -> [];
build(N) -> [N | build(N - 1)].

p(X) -> io:format("~p~n", [X]).
