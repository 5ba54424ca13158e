%! run: links_race_with_the_end:test/0
%! verdict: abnormal_exit
%% Who has ended is no longer linked.
-module(links_race_with_the_end).
-export([test/0]).

test() ->
    P = spawn_link(fun() -> ok end),
    {links, Linked} = process_info(self(), links),
    R = monitor(process, P),
    receive {'DOWN', R, _, _, _} -> ok end,
    case Linked of [] -> exit(gone); [_] -> ok end.
