%% exit/2 to oneself.
-module(exit_self).
-export([main/0]).

main() ->
    p(down(fun() -> exit(self(), normal), receive after 100 -> alive end end)),
    p(down(fun() -> exit(self(), bye), receive after 100 -> alive end end)),
    p(down(fun() -> process_flag(trap_exit, true), exit(self(), bye), receive M -> exit({got, element(3, M)}) end end)),
    p(down(fun() -> process_flag(trap_exit, true), exit(self(), kill), receive M -> exit({got, M}) end end)),
    p(down(fun() -> catch exit(caught), exit(later) end)).

down(F) ->
    {Pid, M} = spawn_monitor(F),
    receive {'DOWN', M, process, Pid, R} -> R end.

p(X) -> io:format("~p~n", [X]).
