%% System messages with their timeouts, to a process by hand and to a server.
-module(sys_forms).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, start/1, system_continue/3, system_terminate/4]).

main() ->
    process_flag(trap_exit, true),
    {ok, S} = gen_server:start_link(?MODULE, 1, []),
    p(sys:suspend(S, 1000)),
    p(element(1, sys:get_status(S, 1000))),
    p(sys:resume(S, 1000)),
    p(gen_server:call(S, get)),
    p(sys:terminate(S, normal, 1000)),
    receive {'EXIT', S, R1} -> p(R1) end,
    {ok, H} = proc_lib:start_link(?MODULE, start, [self()]),
    p(sys:get_state(H)),
    p(sys:suspend(H)),
    p(sys:resume(H)),
    p(sys:terminate(H, done)),
    receive {'EXIT', H, R2} -> p(R2) end,
    p(gen_server:stop(element(2, gen_server:start({local, loop}, ?MODULE, 1, [])))),
    {ok, L} = proc_lib:start_link(?MODULE, start, [{loop, self()}]),
    p(gen_server:call(L, get)),
    p(gen_server:stop(L)),
    {ok, N} = proc_lib:start_link(?MODULE, start, [{named, self()}]),
    p(gen_server:call(looping, get)),
    p(gen_server:stop(N)).

start({loop, Parent}) ->
    proc_lib:init_ack(Parent, {ok, self()}),
    gen_server:enter_loop(?MODULE, [], 7, infinity);
start({named, Parent}) ->
    register(looping, self()),
    proc_lib:init_ack(Parent, {ok, self()}),
    gen_server:enter_loop(?MODULE, [], 8, {local, looping}, infinity);
start(Parent) ->
    proc_lib:init_ack(Parent, {ok, self()}),
    loop(Parent, sys:debug_options([]), 3).

loop(Parent, Debug, N) ->
    receive
        {system, From, Request} ->
            Debug2 = sys:handle_debug(Debug, fun(_, _, _) -> ok end, name, event),
            sys:handle_system_msg(Request, From, Parent, ?MODULE, Debug2, N, false)
    end.

system_continue(Parent, Debug, N) -> loop(Parent, Debug, N).
system_terminate(Reason, _, _, _) -> exit(Reason).

init(N) -> {ok, N}.
handle_call(get, _, N) -> {reply, N, N}.
handle_cast(_, N) -> {noreply, N}.

p(X) -> io:format("~p~n", [X]).
