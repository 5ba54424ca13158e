%% Monitors: reasons, a process already gone, several monitors.
-module(monitor_basic).
-export([main/0]).

main() ->
    Pid = spawn(fun() -> receive R -> exit(R) end end),
    M1 = monitor(process, Pid),
    M2 = erlang:monitor(process, Pid),
    p(M1 =:= M2),
    Pid ! done,
    receive {'DOWN', M1, process, Pid, R1} -> p({first, R1}) end,
    receive {'DOWN', M2, process, Pid, R2} -> p({second, R2}) end,
    M3 = monitor(process, Pid),
    receive {'DOWN', M3, process, Pid, R3} -> p({third, R3}) end.

p(X) -> io:format("~p~n", [X]).
