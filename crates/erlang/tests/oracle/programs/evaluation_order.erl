%% Arguments, elements, operands and map pairs are evaluated from left to right.
-module(evaluation_order).
-export([main/0]).

main() ->
    p({t(1), t(2), t(3)}), p([t(1), t(2) | t([])]), p(t(1) + t(2) * t(3)), p(f(t(a), t(b))),
    p(#{t(k1) => t(v1), t(k2) => t(v2)}), p(<<(t(1)), (t(2))>>), p((t(fun(X) -> X end))(t(arg))).

t(X) when is_function(X) -> io:format("<fun> "), X;
t(X) -> io:format("<~w> ", [X]), X.
f(A, B) -> {A, B}.

p(X) -> io:format("~p~n", [X]).
