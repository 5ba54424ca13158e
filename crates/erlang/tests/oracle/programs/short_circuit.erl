%% andalso, orelse, and, or: what is evaluated.
-module(short_circuit).
-export([main/0]).

main() ->
    p(t(true) andalso t(false)), p(t(false) andalso t(true)),
    p(t(true) orelse t(false)), p(t(false) orelse t(true)),
    p(t(false) and t(true)), p(t(true) or t(false)), p(t(true) xor t(true)),
    p(t(false) orelse value), p(t(true) andalso {a, b}),
    p(try t(x) andalso t(true) catch error:E -> E end).

t(X) -> io:format("<~w> ", [X]), X.

p(X) -> io:format("~p~n", [X]).
