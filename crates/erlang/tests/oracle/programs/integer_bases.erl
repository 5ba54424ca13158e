%% Integers in all bases, there and back.
-module(integer_bases).
-export([main/0]).

main() ->
    p([integer_to_list(255, B) || B <- [2, 8, 10, 16, 36]]),
    p([list_to_integer(integer_to_list(N, B), B) =:= N || N <- [0, -5, 255, 1 bsl 65], B <- [2, 3, 36]]),
    p([16#ff, 2#101, 36#zz, $a, 1_000]),
    io:format("~.2B ~.8B ~.16B ~.16b ~.16#~n", [10, 64, 255, 255, 255]),
    p(try list_to_integer("9", 8) catch error:E -> E end),
    p(try integer_to_list(1, 37) catch error:E2 -> E2 end).

p(X) -> io:format("~p~n", [X]).
