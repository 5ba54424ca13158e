-module(server_requests).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, P} = gen_server:start({local, s}, ?MODULE, [], []),
    R1 = gen_server:send_request(s, {echo, 1}),
    R2 = gen_server:send_request(P, {echo, 2}),
    io:format("~p~n", [gen_server:wait_response(R2, 1000)]),
    io:format("~p~n", [gen_server:wait_response(R1, infinity)]),
    R3 = gen_server:send_request(P, {echo, 3}),
    receive M -> io:format("~p ~p~n", [gen_server:check_response(M, R3), gen_server:check_response(other, R3)]) end,
    R4 = gen_server:send_request(P, never),
    io:format("~p~n", [gen_server:wait_response(R4, 5)]),
    io:format("~p~n", [gen_server:receive_response(R4, 5)]),
    R5 = gen_server:send_request(P, die),
    {error, {died, P}} = gen_server:wait_response(R5, infinity),
    R6 = gen_server:send_request(nobody, die),
    io:format("~p~n", [gen_server:receive_response(R6, infinity)]),
    {ok, _} = gen_server:start({local, s}, ?MODULE, [], []),
    io:format("~p~n", [gen_server:multi_call(s, {echo, 4})]),
    io:format("~p~n", [gen_server:multi_call([node()], s, {echo, 5})]),
    io:format("~p~n", [gen_server:multi_call([node()], nobody, {echo, 5})]),
    io:format("~p~n", [gen_server:multi_call([node()], s, {echo, 6}, 1000)]),
    io:format("~p~n", [gen_server:abcast(s, {tell, self()})]),
    receive told -> io:format("told~n") end,
    io:format("~p~n", [gen_server:abcast([node()], s, {tell, self()})]),
    receive told -> io:format("told~n") end,
    io:format("~p~n", [gen_server:call({s, node()}, {echo, 7})]),
    io:format("~p~n", [gen_server:cast({s, node()}, {tell, self()})]),
    receive told -> io:format("told~n") end,
    gen_server:stop(s).

init([]) -> {ok, []}.
handle_call({echo, X}, _, S) -> {reply, X, S};
handle_call(never, _, S) -> {noreply, S};
handle_call(die, _, S) -> {stop, died, S}.
handle_cast({tell, P}, S) -> P ! told, {noreply, S}.
