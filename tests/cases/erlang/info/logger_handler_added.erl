%! run: logger_handler_added:test/0
%! verdict: abnormal_exit
%% A handler of the program's own is called in the process that logs: who logs before it is there, or after it is gone, is not heard.
-module(logger_handler_added).
-export([test/0, log/2]).
log(#{msg := {string, Text}}, #{to := To}) -> To ! {logged, Text}.
test() ->
    {Pid, Ref} = spawn_monitor(fun() -> logger:error("hello") end),
    ok = logger:add_handler(h, ?MODULE, #{to => self()}),
    receive {'DOWN', Ref, process, Pid, normal} -> ok end,
    receive {logged, "hello"} -> ok after 0 -> exit(not_heard) end.
