%% Children are stopped in the reverse order of their start; shutdown times and brutal_kill.
-module(supervisor_shutdown_order).
-export([main/0]).
-behaviour(supervisor).
-behaviour(gen_server).
-export([start/1, handle_call/3, handle_cast/2, terminate/2, init/1]).

main() ->
    {ok, Sup} = supervisor:start_link(?MODULE, {sup, self()}),
    unlink(Sup), M = monitor(process, Sup), exit(Sup, shutdown),
    receive {'DOWN', M, _, _, R} -> p(R) end,
    p(all()).

all() -> receive {ended, I, R} -> [{I, R} | all()] after 0 -> [] end.
init({sup, T}) -> {ok, {{one_for_one, 1, 5}, [{I, {?MODULE, start, [{I, T}]}, permanent, 1000, worker, []} || I <- [a, b, c]]}};
init({I, T}) -> process_flag(trap_exit, true), {ok, {I, T}}.
start(A) -> gen_server:start_link(?MODULE, A, []).
handle_call(_, _, S) -> {reply, ok, S}.
handle_cast(_, S) -> {noreply, S}.
terminate(R, {I, T}) -> T ! {ended, I, R}.

p(X) -> io:format("~p~n", [X]).
