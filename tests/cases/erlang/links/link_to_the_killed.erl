%! run: link_to_the_killed:test/0
%! verdict: abnormal_exit
%% A process that was killed but is not gone yet takes no links: nothing is raised, an exit signal says noproc.
-module(link_to_the_killed).
-export([test/0]).
-foresee_options([{treat_as_normal, killed}]).
test() ->
    P = spawn(fun() -> receive never -> ok end end),
    exit(P, kill),
    try link(P) catch error:noproc -> ok end.
