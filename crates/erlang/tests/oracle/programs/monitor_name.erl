%% Monitoring by name.
-module(monitor_name).
-export([main/0]).

main() ->
    Pid = spawn(fun() -> receive stop -> ok end end),
    register(watched, Pid),
    M = monitor(process, watched),
    watched ! stop,
    receive {'DOWN', M, process, Who, R} -> p({Who, R}) end,
    M2 = monitor(process, no_such_process_name),
    receive {'DOWN', M2, process, Who2, R2} -> p({Who2, R2}) end.

p(X) -> io:format("~p~n", [X]).
