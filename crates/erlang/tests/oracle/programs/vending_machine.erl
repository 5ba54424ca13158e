%% A state machine by hand: states as functions.
-module(vending_machine).
-export([main/0]).

main() ->
    P = spawn(fun() -> idle(0) end),
    [p(ask(P, E)) || E <- [select, {coin, 50}, select, {coin, 60}, select, refund, {coin, 5}, refund]],
    P ! stop.

ask(P, E) -> P ! {self(), E}, receive {P, R} -> R end.

idle(Sold) ->
    receive
        {F, {coin, N}} -> F ! {self(), {credit, N}}, paying(N, Sold);
        {F, _} -> F ! {self(), {sold, Sold}}, idle(Sold);
        stop -> ok
    end.

paying(Credit, Sold) ->
    receive
        {F, {coin, N}} -> F ! {self(), {credit, Credit + N}}, paying(Credit + N, Sold);
        {F, select} when Credit >= 100 -> F ! {self(), {tea, Credit - 100}}, idle(Sold + 1);
        {F, select} -> F ! {self(), {missing, 100 - Credit}}, paying(Credit, Sold);
        {F, refund} -> F ! {self(), {back, Credit}}, idle(Sold);
        stop -> ok
    end.

p(X) -> io:format("~p~n", [X]).
