-module(processes_that_never_were).
-export([main/0]).

main() ->
    Pid = list_to_pid("<0.28000.0>"),
    p({Pid, is_process_alive(Pid), pid_to_list(Pid), is_pid(Pid)}),
    Pid ! hello,
    Ref = monitor(process, Pid),
    receive {'DOWN', Ref, process, Pid, Why} -> p(Why) end,
    p(process_info(Pid)),
    p(exit(Pid, kill)),
    p(catch gen_server:call(Pid, x)),
    p([try list_to_pid(Text) catch error:Reason -> Reason end || Text <- ["<0.1>", "0.1.2", "<0.1.2", "<a.1.2>", "<0.1.2>x", ""]]),
    process_flag(trap_exit, true),
    p(link(Pid)),
    receive {'EXIT', Pid, Reason} -> p(Reason) end,
    p(unlink(Pid)).

p(Value) -> io:format("~p~n", [Value]).
