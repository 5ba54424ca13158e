%% Printing: formats, several lines, no newline at the end.
-module(hello).
-export([main/0]).

main() ->
    io:format("hello, world~n"),
    io:format("~w ~p~n", [a, "b"]),
    io:put_chars("chars\n"),
    io:put_chars(["deep", [$\s, <<"chars">>], $\n]),
    io:nl(),
    io:fwrite("~s~n", ["fwrite"]),
    io:write({a, "b"}),
    io:nl(),
    io:format("end").
