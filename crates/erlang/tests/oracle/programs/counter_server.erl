%% The classic counter as a receive loop.
-module(counter_server).
-export([main/0]).

main() ->
    Pid = spawn(fun() -> loop(0) end),
    [Pid ! increment || _ <- lists:seq(1, 10)],
    p(call(Pid, value)),
    Pid ! {add, 5},
    p(call(Pid, value)),
    p(call(Pid, stop)).

call(Pid, Request) ->
    Ref = make_ref(),
    Pid ! {call, self(), Ref, Request},
    receive {Ref, Reply} -> Reply after 1000 -> timeout end.

loop(N) ->
    receive
        increment -> loop(N + 1);
        {add, M} -> loop(N + M);
        {call, From, Ref, value} -> From ! {Ref, N}, loop(N);
        {call, From, Ref, stop} -> From ! {Ref, {stopped, N}}
    end.

p(X) -> io:format("~p~n", [X]).
