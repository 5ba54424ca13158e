-module(closures_more).
-export([main/0]).

main() ->
    Add = fun(X) -> fun(Y) -> X + Y end end,
    io:format("~p~n", [[(Add(X))(10) || X <- [1, 2, 3]]]),
    Compose = fun(F, G) -> fun(X) -> F(G(X)) end end,
    io:format("~p~n", [(Compose(Add(1), fun(X) -> X * 2 end))(5)]),
    Fact = fun F(0) -> 1; F(N) -> N * F(N - 1) end,
    io:format("~p~n", [Fact(25)]),
    Counter = counter(),
    [Counter ! inc || _ <- lists:seq(1, 5)],
    Counter ! {get, self()},
    receive {count, N} -> io:format("~p~n", [N]) end,
    io:format("~p~n", [lists:foldl(fun(F, Acc) -> F(Acc) end, 1, [Add(2), Add(3), fun(X) -> X * X end])]),
    F2 = fun lists:reverse/1,
    io:format("~p ~p~n", [F2([1, 2]), (fun local/1)(3)]),
    Y = 1,
    G = fun(Y) when Y > 1 -> big; (_) -> small end,
    io:format("~p ~p ~p~n", [G(0), G(5), Y]),
    case Y of Z when Z > 0 -> Q = pos; _ -> Q = neg end,
    H = fun() -> Q end,
    io:format("~p~n", [H()]).

local(X) -> {local, X}.

counter() -> spawn(fun() -> count(0) end).
count(N) -> receive inc -> count(N + 1); {get, P} -> P ! {count, N}, count(N) end.
