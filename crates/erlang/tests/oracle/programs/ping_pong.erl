%% Two processes exchange a counter.
-module(ping_pong).
-export([main/0]).

main() ->
    Pong = spawn(fun pong/0),
    ping(5, Pong).

ping(0, Pong) -> Pong ! stop, p(done);
ping(N, Pong) ->
    Pong ! {ping, self(), N},
    receive {pong, M} -> p({pong, M}) end,
    ping(N - 1, Pong).

pong() ->
    receive
        {ping, From, N} -> From ! {pong, N * N}, pong();
        stop -> ok
    end.

p(X) -> io:format("~p~n", [X]).
