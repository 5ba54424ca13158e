%% Nobody passes before all have come.
-module(barrier).
-export([main/0]).

main() ->
    Self = self(),
    B = spawn(fun() -> barrier(3, []) end),
    [spawn(fun() -> B ! {arrive, self()}, receive go -> Self ! {passed, N} end end) || N <- [1, 2]],
    receive {passed, _} -> p(too_early) after 20 -> p(waiting) end,
    B ! {arrive, self()},
    receive go -> p(go) end,
    p(lists:sort([receive {passed, N} -> N end || _ <- [1, 2]])).

barrier(0, Ps) -> [P ! go || P <- Ps];
barrier(N, Ps) -> receive {arrive, P} -> barrier(N - 1, [P | Ps]) end.

p(X) -> io:format("~p~n", [X]).
