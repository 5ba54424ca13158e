%% Items of process_info that are the same each time.
-module(process_info_items).
-export([main/0]).

main() ->
    Self = self(),
    Pid = spawn(fun() -> put(key, value), process_flag(trap_exit, true), Self ! ready, receive stop -> ok end end),
    receive ready -> ok end,
    p(process_info(Pid, trap_exit)),
    p(process_info(Pid, dictionary)),
    p(process_info(Pid, messages)),
    Pid ! a, Pid ! b,
    p(process_info(Pid, message_queue_len)),
    p(process_info(Pid, registered_name)),
    p(process_info(Pid, [links, trap_exit])),
    p(process_info(Pid, monitors)),
    link(Pid),
    p(process_info(Pid, links) =:= {links, [self()]}),
    unlink(Pid),
    {group_leader, G} = process_info(Pid, group_leader),
    p(G =:= group_leader()),
    p(try process_info(Pid, nonsense) catch error:R -> R end),
    Pid ! stop.

p(X) -> io:format("~p~n", [X]).
