%% Time in a loop with after: ticks refill.
-module(token_bucket).
-export([main/0]).

main() ->
    P = spawn(fun() -> bucket(2, 2) end),
    p([take(P) || _ <- [1, 2, 3]]),
    P ! refill,
    p([take(P) || _ <- [1, 2]]),
    P ! stop.

take(P) -> P ! {take, self()}, receive {P, R} -> R end.

bucket(N, Max) ->
    receive
        {take, F} when N > 0 -> F ! {self(), ok}, bucket(N - 1, Max);
        {take, F} -> F ! {self(), empty}, bucket(N, Max);
        refill -> bucket(min(N + 1, Max), Max);
        stop -> ok
    after 100000 -> bucket(Max, Max)
    end.

p(X) -> io:format("~p~n", [X]).
