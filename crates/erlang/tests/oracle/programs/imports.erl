%% Imported functions are called without their module.
-module(imports).
-export([main/0]).

-import(lists, [map/2, foldl/3, reverse/1]).
main() ->
    p(map(fun(X) -> X + 1 end, [1, 2])),
    p(foldl(fun(X, A) -> X + A end, 0, [1, 2, 3])),
    p(reverse([a, b])).

p(X) -> io:format("~p~n", [X]).
