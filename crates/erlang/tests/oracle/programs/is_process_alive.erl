%% Alive before, dead after.
-module(is_process_alive).
-export([main/0]).

main() ->
    Pid = spawn(fun() -> receive stop -> ok end end),
    p(is_process_alive(Pid)),
    M = monitor(process, Pid),
    Pid ! stop,
    receive {'DOWN', M, _, _, _} -> ok end,
    p(is_process_alive(Pid)),
    p(is_process_alive(self())),
    p(process_info(Pid)),
    p(process_info(Pid, links)).

p(X) -> io:format("~p~n", [X]).
