%% logger for a program that adds handlers or filters of its own: a log call makes an event, asks the filters and calls the
%% handlers, in the process that logs. Crashes and supervisors are reported by foresee_reports. The handlers of Erlang itself
%% (logger_std_h, logger_disk_log_h) write nothing. Configuration is kept as persistent terms.
-module(logger).
-export([log/2, log/3, log/4, debug/1, debug/2, debug/3, info/1, info/2, info/3, notice/1, notice/2,
         notice/3, warning/1, warning/2, warning/3, error/1, error/2, error/3, critical/1, critical/2,
         critical/3, alert/1, alert/2, alert/3, emergency/1, emergency/2, emergency/3,
         set_primary_config/1, set_primary_config/2, set_process_metadata/1, update_process_metadata/1,
         get_process_metadata/0, set_module_level/2, set_handler_config/2, set_handler_config/3,
         add_handler/3, remove_handler/1, add_primary_filter/2, set_application_level/2, allow/2,
         get_primary_config/0, compare_levels/2, macro_log/3, macro_log/4, macro_log/5, timestamp/0,
         unset_process_metadata/0, unset_module_level/0, unset_module_level/1, unset_application_level/1,
         get_module_level/0, get_module_level/1, get_config/0, get_handler_config/0, get_handler_config/1,
         get_handler_ids/0, add_handlers/1, add_handler_filter/3, remove_handler_filter/2,
         remove_primary_filter/1, update_primary_config/1, update_handler_config/2, update_handler_config/3,
         update_formatter_config/2, update_formatter_config/3, add_default_metadata/1, reconfigure/0,
         format_report/1, format_otp_report/1, i/0, i/1]).

debug(What) -> log(debug, What).
debug(What, More) -> log(debug, What, More).
debug(Format, Args, Meta) -> log(debug, Format, Args, Meta).
info(What) -> log(info, What).
info(What, More) -> log(info, What, More).
info(Format, Args, Meta) -> log(info, Format, Args, Meta).
notice(What) -> log(notice, What).
notice(What, More) -> log(notice, What, More).
notice(Format, Args, Meta) -> log(notice, Format, Args, Meta).
warning(What) -> log(warning, What).
warning(What, More) -> log(warning, What, More).
warning(Format, Args, Meta) -> log(warning, Format, Args, Meta).
error(What) -> log(error, What).
error(What, More) -> log(error, What, More).
error(Format, Args, Meta) -> log(error, Format, Args, Meta).
critical(What) -> log(critical, What).
critical(What, More) -> log(critical, What, More).
critical(Format, Args, Meta) -> log(critical, Format, Args, Meta).
alert(What) -> log(alert, What).
alert(What, More) -> log(alert, What, More).
alert(Format, Args, Meta) -> log(alert, Format, Args, Meta).
emergency(What) -> log(emergency, What).
emergency(What, More) -> log(emergency, What, More).
emergency(Format, Args, Meta) -> log(emergency, Format, Args, Meta).

%% Of these only the primary level decides; the level of a module is asked by the macros.
log(Level, What) -> log_if(is_enough(Level, primary_level()), #{}, Level, What, #{}).
log(Level, What, Meta) when is_map(Meta), not is_function(What) ->
    log_if(is_enough(Level, primary_level()), #{}, Level, What, Meta);
log(Level, What, Args) -> log_if(is_enough(Level, primary_level()), #{}, Level, {What, Args}, #{}).
log(Level, What, Args, Meta) -> log_if(is_enough(Level, primary_level()), #{}, Level, {What, Args}, Meta).

macro_log(Location, Level, What) -> log_if(true, Location, Level, What, #{}).
macro_log(Location, Level, What, Meta) when is_map(Meta), not is_function(What) ->
    log_if(true, Location, Level, What, Meta);
macro_log(Location, Level, What, Args) -> log_if(true, Location, Level, {What, Args}, #{}).
macro_log(Location, Level, What, Args, Meta) -> log_if(true, Location, Level, {What, Args}, Meta).

allow(Level, Module) ->
    case lists:keyfind(Module, 1, get_module_level()) of
        {_, Least} -> is_enough(Level, Least);
        false -> is_enough(Level, primary_level())
    end.

primary_level() -> maps:get(level, get_primary_config()).

is_enough(Level, Least) -> rank(Level) =< rank(Least).

log_if(false, _, _, _, _) -> ok;
log_if(true, Location, Level, {Fun, Args}, Meta) when is_function(Fun, 1) ->
    made(Fun(Args), Location, Level, Meta);
log_if(true, Location, Level, {Fun, Args}, Meta) when is_function(Fun, 2) ->
    made(Fun(Args, Meta), Location, Level, Meta);
log_if(true, Location, Level, What, Meta) ->
    told(message(What), Location, Level, Meta).

made(ignore, _, _, _) -> ok;
made(What, Location, Level, Meta) -> told(message(What), Location, Level, Meta).

message({Format, Args}) when is_list(Args), (is_list(Format) orelse is_binary(Format) orelse is_atom(Format)) -> {Format, Args};
message(Report) when is_map(Report) -> {report, Report};
message([Item | _] = Report) when is_tuple(Item) -> {report, Report};
message(Text) when is_list(Text); is_binary(Text) -> {string, Text};
message(_) -> bad.

told(bad, _, _, _) -> ok;
told(Message, Location, Level, Meta) ->
    Process = case get_process_metadata() of undefined -> #{}; Known -> Known end,
    Primary = get_primary_config(),
    All = lists:foldl(fun(Next, So) -> maps:merge(So, Next) end, #{}, [maps:get(metadata, Primary, #{}), Location, Process, Meta]),
    Event = #{level => Level, msg => Message, meta => with_defaults(All)},
    case filtered(Event, Primary, primary) of
        stop -> ok;
        Kept -> [handled(Id, Kept) || {Id, _} <- handlers()], ok
    end.

with_defaults(Meta) ->
    Given = case maps:is_key(time, Meta) of true -> Meta; false -> Meta#{time => timestamp()} end,
    maps:merge(#{pid => self(), gl => group_leader()}, Given).

handled(Id, #{level := Level} = Event) ->
    case get_handler_config(Id) of
        {ok, #{module := Module, level := Least} = Config} when Module =/= logger_std_h, Module =/= logger_disk_log_h ->
            case is_enough(Level, Least) andalso filtered(Event, Config, Id) of
                false -> ok;
                stop -> ok;
                Kept -> call_handler(Id, Module, Kept, maps:without([level, filters, filter_default], Config))
            end;
        _ -> ok
    end.

%% A handler that fails is taken away.
call_handler(Id, Module, Event, Config) ->
    try Module:log(Event, Config)
    catch _:_ -> remove_handler(Id)
    end.

filtered(Event, Config, Owner) -> filtered(maps:get(filters, Config, []), Event, ignore, Config, Owner).

filtered([], _, ignore, Config, _) when map_get(filter_default, Config) =:= stop -> stop;
filtered([], Event, _, _, _) -> Event;
filtered([{Name, {Filter, Args}} | Rest], Event, So, Config, Owner) ->
    Answer = try Filter(Event, Args)
             catch _:_ -> failed
             end,
    case Answer of
        stop -> stop;
        ignore -> filtered(Rest, Event, So, Config, Owner);
        #{level := _, msg := _, meta := _} -> filtered(Rest, Answer, log, Config, Owner);
        _ ->
            %% A filter that fails is taken away, and the others are not asked.
            case Owner of
                primary -> remove_primary_filter(Name);
                _ -> remove_handler_filter(Owner, Name)
            end,
            filtered([], Event, ignore, Config, Owner)
    end.

%%% Configuration.

get_primary_config() -> persistent_term:get({logger, primary}, default_primary()).
default_primary() -> #{level => notice, filters => [], filter_default => log, metadata => #{}}.

set_primary_config(Config) when is_map(Config) -> checked(primary, Config, fun() -> keep_primary(maps:merge(default_primary(), Config)) end);
set_primary_config(Config) -> {error, {invalid_config, Config}}.
set_primary_config(Key, Value) ->
    checked(primary, #{Key => Value}, fun() -> keep_primary((get_primary_config())#{Key => Value}) end).
update_primary_config(Config) when is_map(Config) ->
    checked(primary, Config, fun() -> keep_primary(maps:merge(get_primary_config(), Config)) end);
update_primary_config(Config) -> {error, {invalid_config, Config}}.
keep_primary(Config) -> persistent_term:put({logger, primary}, Config).

add_primary_filter(Name, Filter) ->
    with_filter(Name, Filter, get_primary_config(), fun keep_primary/1).
remove_primary_filter(Name) -> without_filter(Name, get_primary_config(), fun keep_primary/1).

with_filter(Name, Filter, #{filters := Filters} = Config, Keep) ->
    checked(primary, #{filters => [{Name, Filter}]},
            fun() ->
                    case lists:keymember(Name, 1, Filters) of
                        true -> {error, {already_exist, Name}};
                        false -> Keep(Config#{filters := [{Name, Filter} | Filters]})
                    end
            end).

without_filter(Name, #{filters := Filters} = Config, Keep) ->
    case lists:keytake(Name, 1, Filters) of
        {value, _, Rest} -> Keep(Config#{filters := Rest});
        false -> {error, {not_found, Name}}
    end.

%% There is the one that Erlang starts with, which writes to the screen.
handlers() -> persistent_term:get({logger, handlers}, [{default, full(default, logger_std_h, #{})}]).

full(Id, Module, Config) ->
    Usual = #{level => all, filters => [], filter_default => log, formatter => {logger_formatter, #{}}},
    maps:merge(Usual, Config#{id => Id, module => Module}).

keep_handler(Id, Config) ->
    persistent_term:put({logger, handlers}, lists:keyreplace(Id, 1, handlers(), {Id, Config})).

add_handler(Id, Module, Config) ->
    checked(Id, Config, fun() -> add_checked(Id, Module, full(Id, Module, Config)) end).

add_checked(Id, Module, _) when not is_atom(Module) -> {error, {invalid_module, Module}};
add_checked(Id, Module, Config) ->
    case {lists:keymember(Id, 1, handlers()), is_handler(Module)} of
        {true, _} -> {error, {already_exist, Id}};
        {_, false} -> {error, {invalid_handler, {function_not_exported, {Module, log, 2}}}};
        _ ->
            case asked(Module, adding_handler, [Config], {ok, Config}) of
                {ok, Agreed} -> persistent_term:put({logger, handlers}, [{Id, Agreed} | handlers()]);
                {error, Reason} -> {error, {handler_not_added, Reason}}
            end
    end.

is_handler(Module) when Module =:= logger_std_h; Module =:= logger_disk_log_h -> true;
is_handler(Module) ->
    code:ensure_loaded(Module),
    erlang:function_exported(Module, log, 2).

%% A handler's own functions are called in a process of their own.
asked(Module, Function, Args, Default) ->
    case erlang:function_exported(Module, Function, length(Args)) of
        false -> Default;
        true ->
            Self = self(),
            Tag = make_ref(),
            {Pid, Ref} = spawn_monitor(fun() ->
                             Self ! {Tag, try apply(Module, Function, Args)
                                          catch Class:Reason:Stack -> {error, {callback_crashed, {Class, Reason, Stack}}}
                                          end}
                         end),
            receive
                {Tag, Answer} ->
                    demonitor(Ref, [flush]),
                    Answer;
                {'DOWN', Ref, process, Pid, Reason} -> {error, {logger_process_exited, Pid, Reason}}
            end
    end.

add_handlers(Application) when is_atom(Application) ->
    add_handlers(application:get_env(Application, logger, []));
add_handlers([{handler, default, undefined} | Rest]) ->
    _ = remove_handler(default),
    add_handlers(Rest);
add_handlers([{handler, Id, Module, Config} | Rest]) ->
    case add_handler(Id, Module, Config) of
        ok -> add_handlers(Rest);
        Error -> Error
    end;
add_handlers([{filters, Default, Filters} | Rest]) ->
    set_primary_config(filter_default, Default),
    [add_primary_filter(Name, Filter) || {Name, Filter} <- Filters],
    add_handlers(Rest);
add_handlers([{module_level, Level, Modules} | Rest]) ->
    set_module_level(Modules, Level),
    add_handlers(Rest);
add_handlers([]) -> ok.

remove_handler(Id) ->
    case lists:keytake(Id, 1, handlers()) of
        {value, {_, #{module := Module} = Config}, Rest} ->
            persistent_term:put({logger, handlers}, Rest),
            _ = asked(Module, removing_handler, [Config], ok),
            ok;
        false -> {error, {not_found, Id}}
    end.

set_handler_config(Id, Config) ->
    changed(Id, set, Config, fun(Old) -> full(Id, maps:get(module, Old), Config) end).
set_handler_config(Id, Key, Value) -> changed(Id, update, #{Key => Value}, fun(Old) -> Old#{Key => Value} end).
update_handler_config(Id, Config) -> changed(Id, update, Config, fun(Old) -> maps:merge(Old, Config) end).
update_handler_config(Id, Key, Value) -> changed(Id, update, #{Key => Value}, fun(Old) -> Old#{Key => Value} end).

changed(Id, How, Config, Change) ->
    checked(Id, Config,
            fun() ->
                    case get_handler_config(Id) of
                        {ok, #{module := Module} = Old} ->
                            New = Change(Old),
                            Agreed = case erlang:function_exported(Module, changing_config, 3) of
                                         true -> asked(Module, changing_config, [How, Old, New], {ok, New});
                                         false -> asked(Module, changing_config, [Old, New], {ok, New})
                                     end,
                            case Agreed of
                                {ok, Kept} -> keep_handler(Id, Kept);
                                Error -> Error
                            end;
                        Error -> Error
                    end
            end).

update_formatter_config(Id, Config) ->
    case get_handler_config(Id) of
        {ok, #{formatter := {Module, Old}} = Handler} -> keep_handler(Id, Handler#{formatter := {Module, maps:merge(Old, Config)}});
        Error -> Error
    end.
update_formatter_config(Id, Key, Value) -> update_formatter_config(Id, #{Key => Value}).

add_handler_filter(Id, Name, Filter) ->
    case get_handler_config(Id) of
        {ok, Config} -> with_filter(Name, Filter, Config, fun(New) -> keep_handler(Id, New) end);
        Error -> Error
    end.
remove_handler_filter(Id, Name) ->
    case get_handler_config(Id) of
        {ok, Config} -> without_filter(Name, Config, fun(New) -> keep_handler(Id, New) end);
        Error -> Error
    end.

checked(Id, Config, Then) when is_atom(Id), is_map(Config) ->
    case wrong(Id, maps:to_list(Config)) of
        none -> Then();
        Wrong -> {error, Wrong}
    end;
checked(Id, Config, _) when is_map(Config) -> {error, {invalid_id, Id}};
checked(_, Config, _) -> {error, {invalid_config, Config}}.

wrong(Id, [{level, Level} | Rest]) ->
    case lists:member(Level, levels()) of
        true -> wrong(Id, Rest);
        false -> {invalid_level, Level}
    end;
wrong(Id, [{filters, Filters} | Rest]) when is_list(Filters) ->
    case [F || F <- Filters, not is_filter(F)] of
        [] -> wrong(Id, Rest);
        [Bad | _] -> {invalid_filter, Bad}
    end;
wrong(_, [{filters, Filters} | _]) -> {invalid_filters, Filters};
wrong(Id, [{filter_default, Default} | Rest]) when Default =:= log; Default =:= stop -> wrong(Id, Rest);
wrong(_, [{filter_default, Default} | _]) -> {invalid_filter_default, Default};
wrong(primary, [{metadata, Meta} | Rest]) when is_map(Meta) -> wrong(primary, Rest);
wrong(primary, [Other | _]) -> {invalid_primary_config, Other};
wrong(Id, [{formatter, {Module, _}} | Rest]) when is_atom(Module) -> wrong(Id, Rest);
wrong(_, [{formatter, Formatter} | _]) -> {invalid_formatter, Formatter};
wrong(Id, [_ | Rest]) -> wrong(Id, Rest);
wrong(_, []) -> none.

is_filter({Name, {Filter, _}}) -> is_atom(Name) andalso is_function(Filter, 2);
is_filter(_) -> false.

set_module_level(Module, Level) when is_atom(Module) -> set_module_level([Module], Level);
set_module_level(Modules, Level) when is_list(Modules) ->
    case lists:member(Level, levels()) of
        false -> {error, {invalid_level, Level}};
        true ->
            Others = [Pair || {Module, _} = Pair <- get_module_level(), not lists:member(Module, Modules)],
            persistent_term:put({logger, module_levels}, lists:sort([{Module, Level} || Module <- Modules] ++ Others))
    end;
set_module_level(Modules, _) -> {error, {not_a_list_of_modules, Modules}}.

unset_module_level() -> persistent_term:put({logger, module_levels}, []).
unset_module_level(Module) when is_atom(Module) -> unset_module_level([Module]);
unset_module_level(Modules) ->
    persistent_term:put({logger, module_levels}, [Pair || {M, _} = Pair <- get_module_level(), not lists:member(M, Modules)]).
get_module_level() -> persistent_term:get({logger, module_levels}, []).
get_module_level(Module) when is_atom(Module) -> get_module_level([Module]);
get_module_level(Modules) -> [Pair || {Module, _} = Pair <- get_module_level(), lists:member(Module, Modules)].

set_application_level(Application, Level) ->
    case application:get_key(Application, modules) of
        {ok, Modules} -> set_module_level(Modules, Level);
        undefined -> {error, {not_loaded, Application}}
    end.
unset_application_level(Application) ->
    case application:get_key(Application, modules) of
        {ok, Modules} -> unset_module_level(Modules);
        undefined -> {error, {not_loaded, Application}}
    end.

get_config() ->
    #{primary => get_primary_config(), handlers => get_handler_config(), module_levels => get_module_level(),
      proxy => #{burst_limit_enable => false, burst_limit_max_count => 500, burst_limit_window_time => 1000,
                 drop_mode_qlen => 1000, flush_qlen => 5000, overload_kill_enable => false,
                 overload_kill_mem_size => 3000000, overload_kill_qlen => 20000,
                 overload_kill_restart_after => 5000, sync_mode_qlen => 500}}.
get_handler_config() -> [Config || {_, Config} <- handlers()].
get_handler_config(Id) ->
    case lists:keyfind(Id, 1, handlers()) of
        {Id, Config} -> {ok, Config};
        false -> {error, {not_found, Id}}
    end.
get_handler_ids() -> [Id || {Id, _} <- handlers()].
reconfigure() ->
    persistent_term:erase({logger, primary}),
    persistent_term:erase({logger, handlers}),
    persistent_term:erase({logger, module_levels}),
    ok.
i() -> ok.
i(_) -> ok.

timestamp() -> os:system_time(microsecond).
add_default_metadata(#{meta := Meta} = Event) -> Event#{meta := with_defaults(Meta)}.

unset_process_metadata() ->
    erase('$logger_metadata$'),
    ok.
set_process_metadata(Meta) when is_map(Meta) ->
    put('$logger_metadata$', Meta),
    ok;
set_process_metadata(Meta) -> erlang:error(badarg, [Meta]).
update_process_metadata(Meta) when is_map(Meta) ->
    case get('$logger_metadata$') of
        undefined -> set_process_metadata(Meta);
        Old -> set_process_metadata(maps:merge(Old, Meta))
    end;
update_process_metadata(Meta) -> erlang:error(badarg, [Meta]).
get_process_metadata() -> get('$logger_metadata$').

compare_levels(Level, Level) -> eq;
compare_levels(A, B) ->
    case rank(A) < rank(B) of
        true -> gt;
        false -> lt
    end.

levels() -> [none, emergency, alert, critical, error, warning, notice, info, debug, all].
rank(Level) -> rank(Level, levels(), 0).
rank(Level, [Level | _], N) -> N;
rank(Level, [_ | Rest], N) -> rank(Level, Rest, N + 1);
rank(_, [], _) -> erlang:error(badarg).

%%% Reports as text.

format_otp_report(#{label := _, report := Report}) -> format_report(Report);
format_otp_report(Report) -> format_report(Report).

format_report(Report) when is_map(Report) -> format_report(maps:to_list(Report));
format_report(Report) ->
    try lists:flatten(Report) of
        [] -> {"~tp", [[]]};
        Flat ->
            case io_lib:printable_unicode_list(Flat) of
                true -> {"~ts", [Flat]};
                false -> lines(Report, [], [])
            end
    catch
        _:_ -> {"~tp", [Report]}
    end.

lines([{Tag, Data} | Rest], Format, Args) ->
    How = case is_text(Data) of true -> "s"; false -> "p" end,
    lines(Rest, ["    ~tp: ~t" ++ How | Format], [Data, Tag | Args]);
lines([Data | Rest], Format, Args) -> lines(Rest, ["    ~tp" | Format], [Data | Args]);
lines([], Format, Args) -> {lists:flatten(lists:join($\n, lists:reverse(Format))), lists:reverse(Args)}.

is_text(Data) ->
    try lists:flatten(Data) of
        [] -> false;
        Flat -> io_lib:printable_unicode_list(Flat)
    catch
        _:_ -> false
    end.
