%% A local function with the name of a built-in.
-module(no_auto_import).
-export([main/0]).

-compile({no_auto_import, [length/1, size/1]}).
main() ->
    p(length([1, 2, 3])),
    p(erlang:length([1, 2, 3])),
    p(size(x)).

length(L) -> {mine, erlang:length(L)}.
size(_) -> big.

p(X) -> io:format("~p~n", [X]).
