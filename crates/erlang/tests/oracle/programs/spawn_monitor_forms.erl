%% spawn_monitor/1, /3 and spawn_opt.
-module(spawn_monitor_forms).
-export([main/0]).
-export([leave/1]).

main() ->
    {P1, M1} = spawn_monitor(fun() -> exit(one) end),
    receive {'DOWN', M1, process, P1, R1} -> p(R1) end,
    {P2, M2} = spawn_monitor(?MODULE, leave, [two]),
    receive {'DOWN', M2, process, P2, R2} -> p(R2) end,
    {P3, M3} = spawn_opt(fun() -> exit(three) end, [monitor]),
    receive {'DOWN', M3, process, P3, R3} -> p(R3) end,
    process_flag(trap_exit, true),
    P4 = spawn_opt(fun() -> exit(four) end, [link]),
    receive {'EXIT', P4, R4} -> p(R4) end,
    P5 = spawn_opt(?MODULE, leave, [five], [link]),
    receive {'EXIT', P5, R5} -> p(R5) end.

leave(R) -> exit(R).

p(X) -> io:format("~p~n", [X]).
