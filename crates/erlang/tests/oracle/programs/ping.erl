-module(ping).
-export([main/0]).

main() ->
    Pong = spawn(fun pong/0),
    ping(3, Pong),
    io:format("done~n").

ping(0, Pong) ->
    Pong ! stop;
ping(N, Pong) ->
    Pong ! {ping, self(), N},
    receive
        {pong, N} -> io:format("pong ~p~n", [N])
    end,
    ping(N - 1, Pong).

pong() ->
    receive
        {ping, From, N} ->
            From ! {pong, N},
            pong();
        stop ->
            ok
    end.
