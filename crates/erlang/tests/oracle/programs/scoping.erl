%% Variables of case, if, receive and funs.
-module(scoping).
-export([main/0]).

main() ->
    X = 1,
    case X of
        1 -> Y = one;
        _ -> Y = other
    end,
    p(Y),
    if X > 0 -> Z = positive; true -> Z = negative end,
    p(Z),
    self() ! {v, 5},
    receive {v, W} -> ok end,
    p(W),
    F = fun(X) -> X * 2 end,
    p(F(21)),
    p([X || X <- [7, 8]]),
    p(X),
    G = fun() -> X end,
    p(G()),
    {A, A} = {3, 3},
    p(A),
    p(begin B = 2, B * B end),
    p(B).

p(X) -> io:format("~p~n", [X]).
