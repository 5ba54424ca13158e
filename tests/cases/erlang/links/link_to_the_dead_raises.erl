%! run: link_to_the_dead_raises:test/0
%! verdict: holds
%% To link to a process that is dead raises noproc, which can be caught, unless exits are trapped: then it is a message.
-module(link_to_the_dead_raises).
-export([test/0]).
test() ->
    {P, R} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', R, _, _, _} -> ok end,
    noproc = try link(P) catch error:Reason -> Reason end,
    process_flag(trap_exit, true),
    true = link(P),
    receive {'EXIT', P, noproc} -> ok end.
