%% A table with aligned columns.
-module(format_columns).
-export([main/0]).

main() ->
    io:format("~-10s|~10s|~n", ["name", "value"]),
    [io:format("~-10w|~10w|~n", [N, V]) || {N, V} <- [{a, 1}, {bcd, 22}, {efgh, 333}]],
    io:format("~*c~n", [21, $-]),
    io:format("~10.3f|~-10.3f|~10.2e~n", [3.14159, 2.71828, 12345.6789]),
    io:format("~8.16.0B ~.2B ~.36B~n", [48879, 10, 123456]),
    io:format("~6.2.0f|~3w|~-3w|~n", [3.5, a, b]).
