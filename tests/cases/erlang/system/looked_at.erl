%! run: looked_at:test/0
%! verdict: holds
%% The processes of the run-time system have names, live, and can be looked at and watched.
-module(looked_at).
-export([test/0]).
test() ->
    {registered_name, user} = process_info(whereis(user), registered_name),
    {group_leader, _} = process_info(whereis(kernel_sup), group_leader),
    {current_function, {gen_server, loop, 7}} = process_info(whereis(rex), current_function),
    true = is_pid(whereis(code_server)),
    true = is_process_alive(whereis(init)),
    true = lists:member(application_controller, registered()),
    true = lists:member(whereis(logger), processes()),
    undefined = whereis(error_logger),
    erlang:monitor(process, whereis(init)),
    badarg = try register(init, self()) catch error:R1 -> R1 end,
    badarg = try register(mine, whereis(init)) catch error:R2 -> R2 end,
    badarg = try ets:new(ac_tab, [named_table]) catch error:R3 -> R3 end.
