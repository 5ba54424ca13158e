%! run: monitors_race_with_the_end:test/0
%! verdict: abnormal_exit
%% Who has ended is no longer watched.
-module(monitors_race_with_the_end).
-export([test/0]).

test() ->
    {_, R} = spawn_monitor(fun() -> ok end),
    {monitors, Watched} = process_info(self(), monitors),
    receive {'DOWN', R, _, _, _} -> ok end,
    case Watched of [] -> exit(already_gone); [_] -> ok end.
