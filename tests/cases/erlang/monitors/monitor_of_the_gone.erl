%! run: monitor_of_the_gone:test/0
%! verdict: abnormal_exit
%% Where signals travel, the answer to a monitor of a process that is gone does too: a receive that does not wait may miss it.
-module(monitor_of_the_gone).
-export([test/0]).
-foresee_options([{instant_delivery, false}]).
test() ->
    {P, M} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', M, process, P, normal} -> ok end,
    R = monitor(process, P),
    receive {'DOWN', R, process, P, noproc} -> ok after 0 -> exit(too_early) end.
