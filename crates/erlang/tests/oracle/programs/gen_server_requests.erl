%% send_request, wait_response, receive_response and check_response.
-module(gen_server_requests).
-export([main/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, P} = gen_server:start(?MODULE, [], []),
    R1 = gen_server:send_request(P, {double, 4}),
    R2 = gen_server:send_request(P, {double, 5}),
    p(gen_server:wait_response(R2, 1000)), p(gen_server:wait_response(R1, infinity)),
    R3 = gen_server:send_request(P, never),
    p(gen_server:wait_response(R3, 5)),
    R4 = gen_server:send_request(P, {double, 6}),
    p(gen_server:receive_response(R4, 1000)),
    gen_server:stop(P),
    R5 = gen_server:send_request(P, {double, 1}),
    {error, {Why, _}} = gen_server:wait_response(R5, 1000),
    p(Why).

init([]) -> {ok, none}.
handle_call({double, X}, _, S) -> {reply, X * 2, S};
handle_call(never, _, S) -> {noreply, S}.
handle_cast(_, S) -> {noreply, S}.

p(X) -> io:format("~p~n", [X]).
