%! run: monitored_by_races_with_a_monitor:test/0
%! verdict: abnormal_exit
%% A process may see that another watches it, between the monitor and the end of that one.
-module(monitored_by_races_with_a_monitor).
-export([test/0]).

test() ->
    S = self(),
    P = spawn(fun() -> monitor(process, S), ok end),
    R = monitor(process, P),
    {monitored_by, Watchers} = process_info(self(), monitored_by),
    receive {'DOWN', R, _, _, _} -> ok end,
    case Watchers of [] -> ok; [_] -> exit(seen) end.
