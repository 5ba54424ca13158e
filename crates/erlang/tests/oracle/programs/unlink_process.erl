%% After unlink no exit signal comes.
-module(unlink_process).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> receive go -> exit(gone) end end),
    p(lists:member(Pid, element(2, process_info(self(), links)))),
    p(unlink(Pid)),
    p(lists:member(Pid, element(2, process_info(self(), links)))),
    M = monitor(process, Pid),
    Pid ! go,
    receive {'DOWN', M, _, _, R} -> p(R) end,
    receive {'EXIT', Pid, _} -> p(unexpected) after 20 -> p(none) end.

p(X) -> io:format("~p~n", [X]).
