%% Matching, replacing and splitting text.
-module(regular_expressions).
-export([main/0]).

main() ->
    {match, [[Y, M, D]]} = re:run("on 2024-02-29", "(\\d+)-(\\d+)-(\\d+)", [global, {capture, all_but_first, list}]),
    p({Y, M, D}),
    p(re:replace("John Smith", "(\\w+) (\\w+)", "\\2, \\1", [{return, list}])),
    p(re:split("a, b,c", ",\\s*", [{return, list}])),
    p([re:run(S, "^[a-z]+@[a-z]+\\.[a-z]{2,}$", [{capture, none}]) || S <- ["a@b.org", "nope", "x@y.z"]]),
    {ok, Re} = re:compile("B+", [caseless]),
    p(re:run("aabbB", Re, [{capture, first, list}])),
    p(re:run(<<"x=1;y=2">>, "(\\w)=(\\d)", [global, {capture, all_but_first, binary}])).

p(X) -> io:format("~p~n", [X]).
