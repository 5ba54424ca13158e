-module(logging).
-export([main/0]).

main() ->
    io:format("~p~n", [logger:info("~p", [1])]),
    io:format("~p~n", [logger:error("oops")]),
    io:format("~p~n", [logger:log(warning, "x ~p", [y])]),
    io:format("~p~n", [logger:debug(#{what => report})]),
    io:format("~p~n", [error_logger:info_msg("x~n")]),
    io:format("~p~n", [error_logger:error_msg("~p~n", [x])]),
    io:format("~p~n", [error_logger:warning_report([{a, 1}])]),
    ok = logger:set_process_metadata(#{a => 1}),
    ok = logger:update_process_metadata(#{b => 2}),
    io:format("~p~n", [logger:get_process_metadata()]),
    io:format("~p~n", [logger:compare_levels(error, info)]).
