%! run: spawn_opt_monitor:test/0
%! verdict: holds
%% spawn_opt with monitor gives the pid and the reference.
-module(spawn_opt_monitor).
-export([test/0]).

test() ->
    {P, Ref} = spawn_opt(fun() -> ok end, [monitor]),
    receive {'DOWN', Ref, process, P, normal} -> ok end.
