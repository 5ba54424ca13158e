%! run: spawn_opt_link:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 11, transitions = 11, depth = 9
%! stateless(optimal): holds, interleavings = 1
%% spawn_opt with link and monitor does both at once.
-module(spawn_opt_link).
-export([test/0]).
-concuerror_options([{treat_as_normal, bye}]).

test() ->
    process_flag(trap_exit, true),
    {P, Ref} = spawn_opt(fun() -> exit(bye) end, [link, monitor]),
    receive {'EXIT', P, bye} -> ok end,
    receive {'DOWN', Ref, process, P, bye} -> ok end.
