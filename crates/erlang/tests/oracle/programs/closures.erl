%% What funs remember.
-module(closures).
-export([main/0]).

main() ->
    Adders = [fun(X) -> X + N end || N <- [1, 2, 3]],
    p([A(10) || A <- Adders]),
    Counter = counter(5),
    {V1, C1} = Counter(),
    {V2, _} = C1(),
    p({V1, V2}),
    Compose = fun(F, G) -> fun(X) -> F(G(X)) end end,
    p((Compose(fun(X) -> X * 2 end, fun(X) -> X + 1 end))(5)),
    Curry = fun(F) -> fun(A) -> fun(B) -> F(A, B) end end end,
    p(((Curry(fun erlang:'-'/2))(10))(3)),
    p(lists:foldl(fun(F, X) -> F(X) end, 1, Adders)).

counter(N) -> fun() -> {N, counter(N + 1)} end.

p(X) -> io:format("~p~n", [X]).
