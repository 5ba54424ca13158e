%! run: spawn_monitor_function:test/0
%! verdict: holds
%% spawn_monitor/3 with a function of a module.
-module(spawn_monitor_function).
-export([test/0]).
-export([work/1]).

test() ->
    {P, Ref} = spawn_monitor(?MODULE, work, [self()]),
    receive {worked, P} -> ok end,
    receive {'DOWN', Ref, process, P, normal} -> ok end.

work(Boss) -> Boss ! {worked, self()}.
