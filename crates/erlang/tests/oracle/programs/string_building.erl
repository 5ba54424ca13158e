%% iolists, join, concat and formatting.
-module(string_building).
-export([main/0]).

main() ->
    IO = [["a", $b], <<"c">>, [[], ["d" | <<"e">>]]],
    p(iolist_to_binary(IO)), p(iolist_size(IO)),
    p(lists:flatten(io_lib:format("~s-~4..0w-~5.1f", ["x", 42, 3.14159]))),
    p(lists:concat(["id_", 7, '_', 2.5])),
    p(string:join([integer_to_list(N) || N <- [1, 2, 3]], ", ")),
    p(lists:append(lists:join(" ", ["a", "b"]))),
    io:format("~s~n", [IO]),
    io:format("~p~n", [lists:map(fun string:to_upper/1, ["abc", "def"])]),
    p(string:pad("x", 3) =:= "x  "),
    p(caesar("Hello", 3)).

caesar(S, N) -> [shift(C, N) || C <- S].
shift(C, N) when C >= $a, C =< $z -> (C - $a + N) rem 26 + $a;
shift(C, N) when C >= $A, C =< $Z -> (C - $A + N) rem 26 + $A;
shift(C, _) -> C.

p(X) -> io:format("~p~n", [X]).
