-module(sys_requests).
-export([main/0, init/1, handle_call/3, handle_cast/2, terminate/2]).

main() ->
    {ok, P} = gen_server:start({local, s}, ?MODULE, [], []),
    io:format("~p~n", [sys:get_state(s)]),
    io:format("~p~n", [sys:replace_state(s, fun(N) -> N + 1 end, 1000)]),
    io:format("~p~n", [element(1, element(2, catch sys:replace_state(s, fun(_) -> error(bad) end)))]),
    io:format("~p~n", [sys:get_state(P, 1000)]),
    io:format("~p~n", [sys:suspend(s)]),
    io:format("~p~n", [catch gen_server:call(s, get, 10)]),
    io:format("~p~n", [sys:get_state(s)]),
    io:format("~p~n", [sys:resume(s)]),
    io:format("~p~n", [gen_server:call(s, get)]),
    Ref = monitor(process, P),
    io:format("~p~n", [sys:terminate(s, finished)]),
    receive {'DOWN', Ref, _, _, R} -> io:format("~p~n", [R]) end,
    io:format("~p~n", [element(1, element(2, catch sys:get_state(s)))]),
    {ok, E} = gen_event:start(),
    io:format("~p~n", [sys:get_state(E)]).

init([]) -> {ok, 1}.
handle_call(get, _, N) -> {reply, N, N}.
handle_cast(_, N) -> {noreply, N}.
terminate(_, _) -> ok.
