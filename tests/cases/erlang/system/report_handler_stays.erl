%! run: report_handler_stays:test/0
%! verdict: holds
%% A handler of error_logger that nobody takes out: the event manager that calls it belongs to the run-time system, so that it
%% still waits at the end is no deadlock of the program.
-module(report_handler_stays).
-export([test/0, init/1, handle_event/2, handle_call/2, terminate/2]).
init(To) -> {ok, To}.
handle_event({error_report, _, _}, To) -> To ! heard, {ok, To};
handle_event(_, To) -> {ok, To}.
handle_call(_, To) -> {ok, ok, To}.
terminate(_, _) -> ok.
test() ->
    ok = error_logger:add_report_handler(?MODULE, self()),
    error_logger:error_report([{a, 1}]),
    receive heard -> ok end.
