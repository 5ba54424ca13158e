%% Children are stopped in the reverse order of their start; shutdown times and brutal_kill.
-module(supervisor_shutdown_order).
-export([main/0]).
-behaviour(supervisor).
-behaviour(gen_server).
-export([start/1, handle_call/3, handle_cast/2, terminate/2, init/1]).

main() ->
    {ok, Sup} = supervisor:start_link(?MODULE, {sup, self()}),
    unlink(Sup), M = monitor(process, Sup), exit(Sup, shutdown),
    p(ends(M)).

%% Each child waits until it has been heard, so the order is that of the supervisor.
ends(M) ->
    receive
        {ended, P, I, R} -> P ! heard, [{I, R} | ends(M)];
        {'DOWN', M, _, _, R} -> [{supervisor, R}]
    end.
init({sup, T}) -> {ok, {{one_for_one, 1, 5}, [{I, {?MODULE, start, [{I, T}]}, permanent, 1000, worker, []} || I <- [a, b, c]]}};
init({I, T}) -> process_flag(trap_exit, true), {ok, {I, T}}.
start(A) -> gen_server:start_link(?MODULE, A, []).
handle_call(_, _, S) -> {reply, ok, S}.
handle_cast(_, S) -> {noreply, S}.
terminate(R, {I, T}) -> T ! {ended, self(), I, R}, receive heard -> ok end.

p(X) -> io:format("~p~n", [X]).
