%! run: monitor_of_the_dying:test/0
%! verdict: abnormal_exit
%% Where signals travel, a process that is dead but not yet gone answers a monitor in its own time: after 0 may be too early.
-module(monitor_of_the_dying).
-export([test/0]).
-foresee_options([{instant_delivery, false}, {treat_as_normal, killed}]).
test() ->
    P = spawn(fun() -> receive never -> ok end end),
    exit(P, kill),
    case is_process_alive(P) of
        true -> ok;
        false ->
            M = monitor(process, P),
            receive {'DOWN', M, process, P, noproc} -> ok after 0 -> exit(too_early) end
    end.
