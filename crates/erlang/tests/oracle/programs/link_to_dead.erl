%% Linking to a process that is gone.
-module(link_to_dead).
-export([main/0]).

main() ->
    {Pid, M} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', M, _, _, _} -> ok end,
    process_flag(trap_exit, true),
    p(link(Pid)),
    receive {'EXIT', Pid, R} -> p(R) end,
    p(is_process_alive(Pid)),
    p(unlink(Pid)),
    p(exit(Pid, kill)).

p(X) -> io:format("~p~n", [X]).
