-module(statem_postpone).
-behaviour(gen_statem).
-export([main/0, init/1, callback_mode/0, handle_event/4]).

main() ->
    {ok, P} = gen_statem:start_link(?MODULE, [], []),
    [gen_statem:cast(P, {item, N}) || N <- [1, 2, 3]],
    R = gen_statem:send_request(P, report),
    gen_statem:cast(P, open),
    io:format("~p~n", [gen_statem:wait_response(R, infinity)]),
    gen_statem:cast(P, {item, 4}),
    gen_statem:cast(P, close),
    gen_statem:cast(P, {item, 5}),
    io:format("~p~n", [gen_statem:call(P, now)]),
    gen_statem:cast(P, open),
    io:format("~p~n", [gen_statem:call(P, now)]),
    io:format("~p~n", [sys:replace_state(P, fun({S, _}) -> {S, [x]} end)]),
    io:format("~p~n", [gen_statem:call(P, now)]).

init([]) -> {ok, closed, []}.
callback_mode() -> handle_event_function.

handle_event(cast, {item, _}, closed, _) -> {keep_state_and_data, [postpone]};
handle_event(cast, {item, N}, open, L) -> {keep_state, [N | L]};
handle_event(cast, open, closed, L) -> {next_state, open, L};
handle_event(cast, close, open, L) -> {next_state, closed, L};
handle_event({call, _}, report, closed, _) -> {keep_state_and_data, [{postpone, true}]};
handle_event({call, F}, report, open, L) -> {keep_state_and_data, [{reply, F, {report, L}}]};
handle_event({call, F}, now, S, L) -> {keep_state_and_data, [{reply, F, {S, L}}]}.
