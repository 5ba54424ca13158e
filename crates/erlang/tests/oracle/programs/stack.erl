-module(stack).
-export([main/0, inner/1]).

main() ->
    try outer(a)
    catch error:R:S0 -> [{M, F, A, _} | _] = S0, io:format("~p ~p ~p ~p~n", [R, M, F, A])
    end,
    try inner(b)
    catch C:R2:S -> io:format("~p ~p ~p~n", [C, R2, [{F2, A2} || {_, F2, A2, _} <- S, F2 =:= inner]])
    end,
    {'EXIT', {R3, [{_, F3, _, Info} | _]}} = (catch inner(c)),
    io:format("~p ~p ~p~n", [R3, F3, proplists:get_value(line, Info)]),
    try throw_it() catch throw:T -> io:format("~p~n", [T]) after io:format("after~n") end,
    io:format("~p~n", [nested(0)]),
    io:format("~p~n", [nested(1)]),
    io:format("~p~n", [catch nested(2)]).

outer(X) -> inner_clause(X), ok.

inner_clause(1) -> one.

inner(X) -> Y = id(X), error({bad, Y}).

id(X) -> X.

throw_it() -> throw({ball, 1}).

nested(N) ->
    try
        try step(N) after put(trail, [n | trail()]) end
    of
        V -> {value, V, trail()}
    catch
        throw:X -> {thrown, X, trail()}
    end.

trail() -> case get(trail) of undefined -> []; L -> L end.

step(0) -> zero;
step(1) -> throw(one);
step(2) -> exit(two).
