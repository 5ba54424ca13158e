-module(server_calls).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

main() ->
    {ok, Pid} = gen_server:start_link(?MODULE, 10, []),
    io:format("~p~n", [gen_server:call(Pid, get)]),
    ok = gen_server:cast(Pid, {add, 5}),
    io:format("~p~n", [gen_server:call(Pid, get, 1000)]),
    Pid ! {add, 7},
    io:format("~p~n", [gen_server:call(Pid, get, infinity)]),
    io:format("~p~n", [gen_server:call(Pid, later)]),
    io:format("~p~n", [gen_server:call(Pid, thrown)]),
    io:format("~p~n", [sys:get_state(Pid)]),
    io:format("~p~n", [sys:replace_state(Pid, fun(N) -> N * 2 end)]),
    io:format("~p~n", [gen_server:call(Pid, get)]),
    io:format("~p~n", [gen_server:stop(Pid)]),
    io:format("~p~n", [is_process_alive(Pid)]).

init(N) -> {ok, N}.
handle_call(get, _From, N) -> {reply, N, N};
handle_call(thrown, _From, N) -> throw({reply, caught, N});
handle_call(later, From, N) ->
    self() ! {answer, From},
    {noreply, N}.
handle_cast({add, M}, N) -> {noreply, N + M}.
handle_info({add, M}, N) -> {noreply, N + M};
handle_info({answer, From}, N) ->
    gen_server:reply(From, {late, N}),
    {noreply, N}.
terminate(Reason, N) -> io:format("terminate ~p ~p~n", [Reason, N]).
