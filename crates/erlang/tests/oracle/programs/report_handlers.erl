-module(report_handlers).
-export([main/0, init/1, handle_event/2, handle_call/2, handle_info/2, terminate/2]).

%% Handlers of error_logger, the older way.
init(To) -> {ok, To}.
handle_event({Tag, _, {_, What, Of}}, To) ->
    To ! {Tag, What, Of},
    {ok, To}.
handle_call(_, To) -> {ok, ok, To}.
handle_info(_, To) -> {ok, To}.
terminate(_, _) -> ok.

main() ->
    [logger:remove_handler(Id) || Id <- logger:get_handler_ids()],
    ok = logger:set_primary_config(level, notice),
    p(whereis(error_logger)),
    p(error_logger:which_report_handlers()),
    p(error_logger:add_report_handler(report_handlers, self())),
    p(error_logger:which_report_handlers()),
    p(is_pid(whereis(error_logger))),
    p(logger:get_handler_ids()),
    error_logger:error_msg("error ~p~n", [1]),
    error_logger:warning_msg("warning"),
    error_logger:info_msg("info ~p", [x]),
    error_logger:error_report([{a, 1}]),
    error_logger:error_report(my_type, some_report),
    error_logger:warning_report("text"),
    error_logger:info_report(my_info, [x]),
    error_logger:format("old ~p", [way]),
    logger:error("not for them"),
    [got() || _ <- lists:seq(1, 8)],
    gen_event:sync_notify(error_logger, {x, y, {1, 2, 3}}),
    got(),
    p(error_logger:delete_report_handler(report_handlers)),
    p(error_logger:which_report_handlers()),
    p(logger:get_handler_ids()),
    error_logger:error_msg("nobody"),
    receive Message -> p({unexpected, Message}) after 20 -> p(nothing) end,
    logger:set_primary_config(level, none).

got() -> receive Message -> p(Message) after 1000 -> p(nothing) end.

p(Value) -> io:format("~p~n", [Value]).
