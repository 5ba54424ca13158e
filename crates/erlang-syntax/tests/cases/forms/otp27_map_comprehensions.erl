-module(otp27_map_comprehensions).
f(M, L, B) ->
    #{K => V * 2 || K := V <- M, V > 1},
    #{X => 1 || X <- L},
    [{K, V} || K := V <- M],
    #{X => Y || <<X, Y>> <= B}.
