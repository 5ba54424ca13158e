%% monitor/3 with an alias: replies after demonitor are dropped.
-module(monitor_alias).
-export([main/0]).

main() ->
    Pid = spawn(fun server/0),
    M = monitor(process, Pid, [{alias, reply_demonitor}]),
    Pid ! {M, M, hello},
    receive {M, R} -> p(R) end,
    Pid ! {M, M, again},
    Pid ! {self(), x, sync},
    receive {x, sync} -> ok end,
    receive {M, R2} -> p(R2) after 10 -> p(dropped) end,
    Pid ! stop.

server() ->
    receive
        {To, Tag, X} -> To ! {Tag, X}, server();
        stop -> ok
    end.

p(X) -> io:format("~p~n", [X]).
