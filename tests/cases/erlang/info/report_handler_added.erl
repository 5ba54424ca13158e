%! run: report_handler_added:test/0
%! verdict: holds
%% A handler of error_logger hears of reports in the order in which they were made.
-module(report_handler_added).
-foresee_options([{treat_as_normal, shutdown}]).
-export([test/0, init/1, handle_event/2, handle_call/2, terminate/2]).
init(To) -> {ok, To}.
handle_event({error, _, {_, Format, _}}, To) -> To ! Format, {ok, To}.
handle_call(_, To) -> {ok, ok, To}.
terminate(_, _) -> ok.
test() ->
    ok = error_logger:add_report_handler(?MODULE, self()),
    error_logger:error_msg("one"),
    error_logger:error_msg("two"),
    receive First -> "one" = First end,
    receive Second -> "two" = Second end,
    error_logger:delete_report_handler(?MODULE).
