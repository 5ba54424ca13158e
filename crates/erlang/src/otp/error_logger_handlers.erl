%% error_logger for a program with log handlers: its reports are log events, and its own handlers hang on an event manager
%% that is a handler of logger.
-module(error_logger).
-export([error_msg/1, error_msg/2, warning_msg/1, warning_msg/2, info_msg/1, info_msg/2, format/2,
         error_report/1, error_report/2, warning_report/1, warning_report/2, info_report/1, info_report/2,
         error_info/1, tty/1, logfile/1, add_report_handler/1, add_report_handler/2, delete_report_handler/1,
         which_report_handlers/0, warning_map/0, get_format_depth/0, start/0, start_link/0, stop/0,
         adding_handler/1, removing_handler/1, log/2, report_to_format/1]).

error_msg(Format) -> error_msg(Format, []).
error_msg(Format, Args) -> message(error, error_msg, error, Format, Args).
format(Format, Args) -> error_msg(Format, Args).
warning_msg(Format) -> warning_msg(Format, []).
warning_msg(Format, Args) -> message(warning, warning_msg, warning_msg, Format, Args).
info_msg(Format) -> info_msg(Format, []).
info_msg(Format, Args) -> message(notice, info_msg, info_msg, Format, Args).

error_report(Report) -> error_report(std_error, Report).
error_report(Type, Report) -> report(error, error_report, Type, std_error, Report).
warning_report(Report) -> warning_report(std_warning, Report).
warning_report(Type, Report) -> report(warning, warning_report, Type, std_warning, Report).
info_report(Report) -> info_report(std_info, Report).
info_report(Type, Report) -> report(notice, info_report, Type, std_info, Report).

message(Level, Label, Tag, Format, Args) ->
    logger:log(Level, #{label => {error_logger, Label}, format => Format, args => Args},
               #{report_cb => fun error_logger:report_to_format/1, error_logger => #{tag => Tag}}).

report(Level, Tag, Type, Usual, Report) ->
    Meta = #{report_cb => fun error_logger:report_to_format/1, error_logger => #{tag => Tag, type => Type}},
    Whole = case Type of Usual -> Meta; _ -> Meta#{domain => [Type]} end,
    logger:log(Level, #{label => {error_logger, Tag}, report => Report}, Whole).

error_info(Error) ->
    {Format, Args} = case is_list(Error) andalso Error =/= [] andalso io_lib:printable_list(Error) of
                         true -> {Error, []};
                         false -> {"~p", [Error]}
                     end,
    logger:log(notice, Format, Args, #{error_logger => #{tag => info, type => Error}, domain => [Error]}).

report_to_format(#{label := {error_logger, _}, report := Report}) when is_map(Report) -> {"~tp\n", [Report]};
report_to_format(#{label := {error_logger, _}, format := Format, args := Args}) ->
    try io_lib:format(Format, Args) of
        _ -> {Format, Args}
    catch
        _:_ -> {"ERROR: ~tp - ~tp", [Format, Args]}
    end;
report_to_format(Report) -> logger:format_otp_report(Report).

tty(_) -> ok.
logfile({open, _}) -> erlang:'$not_modelled'(error_logger, logfile, 1);
logfile(_) -> {error, no_log_file}.
warning_map() -> warning.
get_format_depth() -> unlimited.

%%% The event manager behind the old handlers.

start() ->
    case gen_event:start({local, error_logger}) of
        {ok, _} -> ok;
        {error, {already_started, _}} -> ok
    end.
start_link() -> gen_event:start_link({local, error_logger}).
stop() ->
    case whereis(error_logger) of
        undefined -> ok;
        _ -> gen_event:stop(error_logger, {shutdown, stopped}, infinity)
    end.

adding_handler(Config) ->
    start(),
    {ok, Config}.
removing_handler(_) -> stop().

add_report_handler(Module) -> add_report_handler(Module, []).
add_report_handler(Module, Args) when is_atom(Module) ->
    _ = logger:add_handler(error_logger, error_logger, #{level => info, filter_default => log}),
    gen_event:add_handler(error_logger, Module, Args).

delete_report_handler(Module) when is_atom(Module) ->
    case whereis(error_logger) of
        undefined -> ok;
        _ ->
            Return = gen_event:delete_handler(error_logger, Module, []),
            case gen_event:which_handlers(error_logger) of
                [] -> logger:remove_handler(error_logger);
                _ -> ok
            end,
            Return
    end.

which_report_handlers() ->
    case whereis(error_logger) of
        undefined -> [];
        _ -> gen_event:which_handlers(error_logger)
    end.

%% Events are told in the old form.
log(#{msg := Message, meta := Meta}, _) -> told(Message, Meta).

told({report, Report}, #{error_logger := #{tag := _, type := Type}} = Meta) ->
    notify(Type, case Report of #{label := _, report := Inner} -> Inner; _ -> Report end, Meta);
told({report, #{label := _, format := Format, args := Args}}, #{error_logger := #{tag := _}} = Meta) ->
    notify(Format, Args, Meta);
told({report, Report}, #{error_logger := #{tag := _}} = Meta) ->
    {Format, Args} = by_callback(callback(Meta), Report),
    notify(Format, Args, Meta);
told({Format, Args}, #{error_logger := #{tag := _}} = Meta) when is_list(Format), is_list(Args) ->
    notify(Format, Args, Meta);
told(_, _) -> ok.

notify(What, Of, #{pid := Pid, gl := Leader, error_logger := #{tag := Tag} = Own}) ->
    From = case Own of #{emulator := true} -> emulator; _ -> Pid end,
    gen_event:notify(error_logger, {Tag, Leader, {From, What, Of}}).

callback(#{error_logger := #{report_cb := F}}) -> F;
callback(#{report_cb := F}) -> F;
callback(_) -> fun logger:format_report/1.

by_callback(F, Report) when is_function(F, 1) ->
    try F(Report) of
        {Format, Args} when is_list(Format), is_list(Args) -> {Format, Args};
        Other -> {"REPORT_CB ERROR: ~tp; Returned: ~tp", [Report, Other]}
    catch
        Class:Reason:Stack -> {"REPORT_CB CRASH: ~tp; Reason: ~tp", [Report, {Class, Reason, Stack}]}
    end;
by_callback(F, Report) when is_function(F, 2) ->
    try F(Report, #{depth => unlimited, chars_limit => unlimited, single_line => false}) of
        Text -> {"~ts", [Text]}
    catch
        Class:Reason -> {"REPORT_CB CRASH: ~tp; Reason: ~tp", [Report, {Class, Reason}]}
    end.
