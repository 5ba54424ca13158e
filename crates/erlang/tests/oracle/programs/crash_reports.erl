-module(crash_reports).
-behaviour(gen_server).
-export([main/0, log/2, init/1, handle_call/3, handle_cast/2, handle_info/2]).

%% What behaviours report when they crash, as a handler of the program's own hears it.
log(#{level := Level, msg := {report, Report}}, #{to := To}) -> To ! {Level, told(Report)};
log(_, _) -> ok.

told(#{label := {gen_server, terminate} = Label, name := Name, last_message := Last, state := State, reason := Reason}) ->
    {Label, shown(Name), Last, State, plain(Reason)};
told(#{label := {proc_lib, crash} = Label, report := [Info, _]}) ->
    {error_info, {Class, Reason, _}} = lists:keyfind(error_info, 1, Info),
    {initial_call, {Module, Function, _}} = lists:keyfind(initial_call, 1, Info),
    {Label, {Module, Function =:= init}, lists:keyfind(registered_name, 1, Info), Class, Reason};
told(#{label := {supervisor, _} = Label, report := Report}) ->
    {offender, Offender} = lists:keyfind(offender, 1, Report),
    {Label, lists:keyfind(errorContext, 1, Report), plain(lists:keyfind(reason, 1, Report)), lists:keyfind(id, 1, Offender),
     lists:keyfind(restart_type, 1, Offender)};
told(#{label := Label}) -> Label.

shown(Name) when is_pid(Name) -> pid;
shown(Name) -> Name.
plain({reason, Reason}) -> plain(Reason);
plain({Reason, [Frame | _]}) when is_tuple(Frame) -> {Reason, stack};
plain(Reason) -> Reason.

init(_) -> {ok, state}.
handle_call(crash, _, _) -> error(crashed);
handle_call(stop, _, State) -> {stop, because, bye, State};
handle_call(quiet, _, State) -> {stop, normal, bye, State}.
handle_cast(bad, _) -> nonsense;
handle_cast(shutdown, State) -> {stop, {shutdown, x}, State}.
handle_info(exit, _) -> exit(left).

main() ->
    [logger:remove_handler(Id) || Id <- logger:get_handler_ids()],
    ok = logger:set_primary_config(level, notice),
    ok = logger:add_handler(mine, crash_reports, #{to => self()}),
    [one(Name, How) || Name <- [none, named], How <- [crash, stop, quiet, bad, shutdown, exit]],
    proc_lib:spawn(fun() -> error(alone) end),
    told(),
    proc_lib:spawn(fun() -> exit(shutdown) end),
    told(),
    logger:remove_handler(mine),
    logger:set_primary_config(level, none).

one(Name, How) ->
    {ok, Pid} = case Name of
                    none -> gen_server:start(crash_reports, [], []);
                    _ -> gen_server:start({local, Name}, crash_reports, [], [])
                end,
    Ref = monitor(process, Pid),
    if
        How =:= bad; How =:= shutdown -> gen_server:cast(Pid, How);
        How =:= exit -> Pid ! exit;
        true -> catch gen_server:call(Pid, How)
    end,
    receive {'DOWN', Ref, process, Pid, Why} -> io:format("~p ~p: ~p~n", [Name, How, plain(Why)]) end,
    told().

told() ->
    receive
        {Level, Report} ->
            io:format("  ~p ~p~n", [Level, Report]),
            told()
    after 50 -> ok
    end.
