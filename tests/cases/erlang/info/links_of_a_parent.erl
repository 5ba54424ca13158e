%! run: links_of_a_parent:test/0
%! verdict: abnormal_exit
%% That a process is linked to its child from the start may be seen by a third, or not yet.
-module(links_of_a_parent).
-export([test/0]).
-foresee_options([{treat_as_normal, killed}]).

test() ->
    P = spawn(fun() -> spawn_link(fun() -> receive stop -> ok end end), receive stop -> ok end end),
    {links, Linked} = process_info(P, links),
    exit(P, kill),
    case Linked of [] -> ok; [_] -> exit(seen) end.
