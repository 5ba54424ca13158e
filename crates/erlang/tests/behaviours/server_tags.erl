-module(server_tags).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).
init(_) -> {ok, 0}.
handle_call(twice, From, S) -> gen_server:reply(From, first), gen_server:reply(From, second), {noreply, S};
handle_call(wait, _, S) -> {reply, ok, S, 5};
handle_call(_, {_, Tag}, S) -> {reply, is_reference(Tag), S}.
handle_cast({hand, {To, Tag}}, S) -> To ! {Tag, by_hand}, {noreply, S}.
handle_info(timeout, S) -> {noreply, S + 1};
handle_info(_, S) -> {noreply, S}.
main() ->
    {ok, P} = gen_server:start_link(?MODULE, [], []),
    io:format("~p~n", [{gen_server:call(P, tag, infinity), gen_server:call(P, tag, 5000), gen_server:call(P, tag)}]),
    first = gen_server:call(P, twice, infinity),
    io:format("~p~n", [receive {R, M} when is_reference(R) -> M after 100 -> none end]),
    {status, P, {module, gen_server}, [_, running, Parent, [], Misc]} = sys:get_status(P),
    io:format("~p ~p~n", [Parent =:= self(), [L || {data, D} <- Misc, {"Parent", X} <- D, L <- [X =:= self()]]]),
    sys:suspend(P),
    {status, P, _, [_, How | _]} = sys:get_status(P),
    sys:resume(P),
    ok = gen_server:call(P, wait),
    0 = sys:get_state(P),
    timer:sleep(100),
    io:format("~p ~p~n", [How, sys:get_state(P)]),
    unlink(P), M2 = monitor(process, P),
    ok = sys:terminate(P, bye, infinity),
    io:format("~p~n", [receive {'DOWN', M2, _, _, W} -> W end]),
    {ok, Q} = gen_event:start(),
    io:format("~p~n", [{gen_event:which_handlers(Q), gen_event:stop(Q)}]).
