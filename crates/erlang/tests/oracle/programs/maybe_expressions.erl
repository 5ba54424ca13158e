%% maybe ... else ... end.
-module(maybe_expressions).
-feature(maybe_expr, enable).
-export([main/0]).

main() ->
    p(sum("1", "2")), p(sum("1", "x")), p(sum("x", "2")),
    p(maybe_only(ok)), p(maybe_only(nope)),
    p(try strict(other) catch error:E -> E end).

sum(A, B) ->
    maybe
        {ok, X} ?= parse(A),
        {ok, Y} ?= parse(B),
        Z = X + Y,
        {sum, Z}
    else
        {error, Text} -> {cannot_read, Text}
    end.

parse(Text) ->
    try {ok, list_to_integer(Text)} catch error:badarg -> {error, Text} end.

maybe_only(X) -> maybe ok ?= X, good end.

strict(X) -> maybe ok ?= X, good else bad -> bad end.

p(X) -> io:format("~p~n", [X]).
