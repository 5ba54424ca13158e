%! run: down_with_reason:test/0
%! crash: worker
%! verdict: abnormal_exit
%% A monitor tells of a crash with the reason crash: who only expects normal ends fails.
-module(down_with_reason).
-export([test/0]).

test() ->
    {Pid, Ref} = spawn_monitor(fun() -> register(worker, self()), self() ! go end),
    receive {'DOWN', Ref, process, Pid, Reason} -> normal = Reason end.
