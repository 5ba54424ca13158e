%% Philosophers who take the lower fork first all eat.
-module(dining).
-export([main/0]).

main() ->
    Forks = [spawn(fun free/0) || _ <- lists:seq(1, 5)],
    Ps = [spawn_monitor(fun() -> eat(lists:nth(min(I, I rem 5 + 1), Forks), lists:nth(max(I, I rem 5 + 1), Forks), 10) end)
          || I <- lists:seq(1, 5)],
    p([receive {'DOWN', M, process, P, R} -> R end || {P, M} <- Ps]),
    [exit(F, kill) || F <- Forks],
    p(done).

eat(_, _, 0) -> ok;
eat(A, B, N) -> take(A), take(B), give(B), give(A), eat(A, B, N - 1).

take(F) -> F ! {take, self()}, receive {taken, F} -> ok end.
give(F) -> F ! {give, self()}.

free() -> receive {take, P} -> P ! {taken, self()}, held(P) end.
held(P) -> receive {give, P} -> free() end.

p(X) -> io:format("~p~n", [X]).
