-module(variables).
-export([f/1, g/1, h/1, i/1, j/1, k/1]).
f(X) -> {Y = 1, Y}, Y.
g(X) -> try Z = X of _ -> Z catch _:_ -> Z after Z end, Z.
h(X) -> fun(X) -> W = X end, W.
i(L) -> [A || A <- L], A, B = [C || C <- L, D = C, D].
j(X) -> X andalso (E = 1), E, if X -> F = 1; true -> F = 2 end, F, (catch G = 1), G.
k(X) when X =:= 1, case X of _ -> true end; spawn(X); foo:bar(X) -> _, fun (X + 1) -> ok end, #{a => Q} = X, Q.
