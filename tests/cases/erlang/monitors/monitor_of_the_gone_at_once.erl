%! run: monitor_of_the_gone_at_once:test/0
%! verdict: holds
%% Where signals arrive at once, so does the answer to a monitor of a process that is gone.
-module(monitor_of_the_gone_at_once).
-export([test/0]).
test() ->
    {P, M} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', M, process, P, normal} -> ok end,
    R = monitor(process, P),
    receive {'DOWN', R, process, P, noproc} -> ok after 0 -> exit(too_early) end.
