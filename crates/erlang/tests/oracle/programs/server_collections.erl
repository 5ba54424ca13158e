-module(server_collections).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, A} = gen_server:start(?MODULE, [], []),
    {ok, B} = gen_server:start(?MODULE, [], []),
    Ids0 = gen_server:reqids_new(),
    io:format("~p~n", [gen_server:receive_response(Ids0, 10, true)]),
    Ids1 = gen_server:send_request(A, {echo, 1}, one, Ids0),
    Ids2 = gen_server:send_request(B, never, two, Ids1),
    io:format("~p~n", [gen_server:reqids_size(Ids2)]),
    {R1, one, Ids3} = gen_server:receive_response(Ids2, infinity, true),
    io:format("~p ~p~n", [R1, gen_server:reqids_size(Ids3)]),
    io:format("~p~n", [gen_server:wait_response(Ids3, 5, true)]),
    gen_server:cast(B, stop),
    {{error, {over, B}}, two, Ids4} = gen_server:wait_response(Ids3, infinity, false),
    io:format("~p~n", [gen_server:reqids_size(Ids4)]),
    Ids5 = gen_server:reqids_add(gen_server:send_request(A, {echo, 3}), three, Ids0),
    receive M -> io:format("~p~n", [element(1, gen_server:check_response(M, Ids5, true))]) end,
    io:format("~p~n", [gen_server:check_response(other, Ids5, true)]),
    io:format("~p~n", [[L || {_, L} <- gen_server:reqids_to_list(Ids5)]]).

init([]) -> {ok, []}.
handle_call({echo, X}, _, S) -> {reply, X, S};
handle_call(never, _, S) -> {noreply, S}.
handle_cast(stop, S) -> {stop, over, S}.
