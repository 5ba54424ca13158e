%% exit/2 with different reasons to a trapping and a plain process.
-module(exit_signals).
-export([main/0]).

main() ->
    [p({Trap, Reason, try_exit(Trap, Reason)}) || Trap <- [false, true], Reason <- [normal, shutdown, kill, foo]].

try_exit(Trap, Reason) ->
    Self = self(),
    {Pid, M} = spawn_monitor(fun() ->
                                     process_flag(trap_exit, Trap),
                                     Self ! ready,
                                     receive {'EXIT', _, R} -> exit({trapped, R}); stop -> exit(stopped) end
                             end),
    receive ready -> ok end,
    exit(Pid, Reason),
    Pid ! stop,
    receive {'DOWN', M, process, Pid, R} -> R end.

p(X) -> io:format("~p~n", [X]).
