%% The macros of logger.hrl: which arguments are evaluated, and what they give.
-module(log_macros).
-export([main/0]).
-include_lib("kernel/include/logger.hrl").

main() ->
    logger:set_handler_config(default, level, none),
    logger:set_primary_config(level, notice),
    p(?LOG_ERROR("text ~p", [seen(error)])),
    p(?LOG_NOTICE(#{report => seen(notice)})),
    p(?LOG_WARNING("text")),
    p(?LOG_INFO("text ~p", [seen(info)])),
    p(?LOG_DEBUG("text ~p", [seen(debug)], #{meta => data})),
    p(?LOG(critical, "text ~p", [seen(critical)])),
    p(?LOG(info, #{a => seen(info)})),
    p(logger:allow(error, ?MODULE)), p(logger:allow(debug, ?MODULE)),
    p(logger:compare_levels(error, info)), p(logger:compare_levels(info, info)),
    p(is_map(?LOCATION)),
    logger:set_primary_config(level, none).

seen(What) ->
    io:format("evaluated ~p~n", [What]),
    What.

p(X) -> io:format("~p~n", [X]).
