%% What logging calls give back; what they log is not output.
-module(logger_forms).
-export([main/0]).

main() ->
    Levels = [emergency, alert, critical, error, warning, notice, info, debug],
    p(lists:usort([logger:L("text") || L <- Levels])),
    p([logger:emergency("~p", [x]), logger:alert("~p", [x]), logger:critical("~p", [x]), logger:error("~p", [x])]),
    p([logger:warning("~p", [x]), logger:notice("~p", [x]), logger:info("~p", [x]), logger:debug("~p", [x])]),
    p([logger:emergency("~p", [x], #{}), logger:alert("~p", [x], #{}), logger:critical("~p", [x], #{})]),
    p([logger:error("~p", [x], #{}), logger:warning("~p", [x], #{}), logger:notice("~p", [x], #{})]),
    p([logger:info("~p", [x], #{}), logger:debug("~p", [x], #{})]),
    p([logger:emergency("t"), logger:alert("t"), logger:critical("t"), logger:warning("t"), logger:notice("t")]),
    p([logger:log(info, "text"), logger:log(info, "~p", [x]), logger:log(info, "~p", [x], #{})]),
    p(is_boolean(logger:allow(debug, ?MODULE))),
    p(is_map(logger:get_primary_config())),
    p([error_logger:error_msg("text"), error_logger:error_report(some_type, [x]), error_logger:warning_report(some_type, [x])]).

p(X) -> io:format("~p~n", [X]).
