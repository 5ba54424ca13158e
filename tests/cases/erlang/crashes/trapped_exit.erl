%! run: trapped_exit:test/0
%! crash: worker
%! verdict: holds
%! stateless(optimal): holds, interleavings = 4
%% Who traps exits is told: the reason is crash, or normal if the worker ended first. Four runs: crashes cease before it comes to
%% one; it dies before it sends; its crash comes too late, before or after its exit.
-module(trapped_exit).
-export([test/0]).

test() ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> register(worker, self()), self() ! go end),
    receive {'EXIT', Pid, Reason} -> true = lists:member(Reason, [crash, normal]) end.
