-module(ring_more).
-export([main/0]).

main() ->
    N = 20,
    Self = self(),
    First = lists:foldl(fun(_, Next) -> spawn(fun() -> station(Next) end) end, Self, lists:seq(1, N)),
    First ! {token, 0},
    receive {token, Count} -> io:format("token passed ~p nodes~n", [Count]) end.

station(Next) -> receive {token, C} -> Next ! {token, C + 1} end.
