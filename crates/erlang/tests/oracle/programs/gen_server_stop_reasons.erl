%% How a server can stop, what its caller and its monitor see.
-module(gen_server_stop_reasons).
-export([main/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

main() ->
    [run(F) || F <- [fun(P) -> gen_server:call(P, {stop, normal, bye}) end, fun(P) -> gen_server:call(P, {stop_noreply, shutdown}) end,
                     fun(P) -> gen_server:cast(P, {stop, {shutdown, x}}) end, fun(P) -> P ! stop end,
                     fun(P) -> gen_server:call(P, crash) end, fun(P) -> gen_server:call(P, bad_return) end,
                     fun(P) -> gen_server:stop(P, why, 1000) end, fun(P) -> exit(P, kill) end]].

run(F) ->
    {ok, P} = gen_server:start(?MODULE, [], []),
    M = monitor(process, P),
    R = try F(P) catch exit:E -> {exit, clean(E)} end,
    receive {'DOWN', M, _, _, D} -> p({result(R), clean(D)}) end.

result({exit, _} = R) -> R;
result(R) -> {value, R}.
clean({R, {gen_server, _, _}}) -> clean(R);
clean({R, S}) when is_list(S), S =/= [], is_tuple(hd(S)) -> {error, R};
clean(R) -> R.

init([]) -> {ok, s}.
handle_call({stop, R, Reply}, _, S) -> {stop, R, Reply, S};
handle_call({stop_noreply, R}, _, S) -> {stop, R, S};
handle_call(crash, _, _) -> error(crashed);
handle_call(bad_return, _, _) -> nonsense.
handle_cast({stop, R}, S) -> {stop, R, S}.
handle_info(stop, S) -> {stop, normal, S}.
terminate(R, _) -> io:format("terminate ~p~n", [clean(R)]).

p(X) -> io:format("~p~n", [X]).
