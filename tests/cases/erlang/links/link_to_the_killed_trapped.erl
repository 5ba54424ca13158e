%! run: link_to_the_killed_trapped:test/0
%! verdict: holds
%% Whether the killed process is gone or not, who traps exits gets the same message.
-module(link_to_the_killed_trapped).
-export([test/0]).
-foresee_options([{treat_as_normal, killed}]).
test() ->
    process_flag(trap_exit, true),
    P = spawn(fun() -> receive never -> ok end end),
    exit(P, kill),
    true = link(P),
    receive {'EXIT', P, noproc} -> ok end.
