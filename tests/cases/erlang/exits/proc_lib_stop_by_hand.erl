%! run: proc_lib_stop_by_hand:test/0
%! verdict: holds
%% proc_lib:stop of a process that speaks system messages by hand.
-module(proc_lib_stop_by_hand).
-export([test/0, init/1, system_continue/3, system_terminate/4]).
test() ->
    {ok, P} = proc_lib:start_link(?MODULE, init, [self()]),
    ok = proc_lib:stop(P),
    exit = try proc_lib:stop(P) catch exit:noproc -> exit end,
    exit = try proc_lib:stop(self(), normal, infinity)
           catch exit:{calling_self, {sys, terminate, _}} -> exit end.
init(Parent) ->
    proc_lib:init_ack(Parent, {ok, self()}),
    loop(Parent).
loop(Parent) ->
    receive
        {system, From, Request} -> sys:handle_system_msg(Request, From, Parent, ?MODULE, [], none)
    end.
system_continue(Parent, _, _) -> loop(Parent).
system_terminate(Reason, _, _, _) -> exit(Reason).
