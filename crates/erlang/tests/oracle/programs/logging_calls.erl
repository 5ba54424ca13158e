%% Logging answers ok and prints nothing here: reports are no output.
-module(logging_calls).
-export([main/0]).

main() ->
    p(error_logger:error_msg("~p~n", [x])), p(error_logger:warning_msg("~p~n", [x])), p(error_logger:info_msg("~p~n", [x])),
    p(error_logger:error_report([{a, 1}])), p(error_logger:info_report([{a, 1}])), p(error_logger:warning_report([{a, 1}])),
    p(error_logger:format("~p", [x])), p(error_logger:warning_msg("plain")), p(error_logger:info_report(type, [])),
    p(logger:log(error, "text ~p", [1])), p(logger:info("text")), p(logger:error("~p", [x])),
    p(logger:compare_levels(error, info)), p(logger:compare_levels(debug, info)), p(logger:compare_levels(info, info)).

p(X) -> io:format("~p~n", [X]).
