-module(comprehensions).
f(L, M) ->
    [X || X <- L],
    [{X, Y} || X <- L, Y <- M, X < Y, is_integer(X)],
    [X || {ok, X} <- L, begin X end],
    [[Y || Y <- X] || X <- L],
    [catch X || X <- L].
