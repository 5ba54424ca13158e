%! run: monitors_of_a_parent:test/0
%! verdict: abnormal_exit
%% That a process watches its child from the start may be seen by a third, or not yet.
-module(monitors_of_a_parent).
-export([test/0]).

test() ->
    P = spawn(fun() -> spawn_monitor(fun() -> receive stop -> ok end end), receive stop -> ok end end),
    case process_info(P, monitors) of
        {monitors, []} -> exit(P, kill);
        {monitors, [{process, C}]} -> C ! stop, exit(P, kill), exit(seen)
    end.
-foresee_options([{ignore_error, deadlock}, {treat_as_normal, killed}]).
