%% Too many restarts end the supervisor.
-module(supervisor_intensity).
-export([main/0]).
-behaviour(supervisor).
-export([init/1, start_child/1]).

main() ->
    process_flag(trap_exit, true),
    {ok, Sup} = supervisor:start_link(?MODULE, self()),
    kill_until_gone(Sup, 0).

kill_until_gone(Sup, N) ->
    receive
        {started, P} -> exit(P, kill), kill_until_gone(Sup, N + 1);
        {'EXIT', Sup, R} -> p({killed, N, R})
    end.

init(T) -> {ok, {{one_for_one, 3, 60}, [{c, {?MODULE, start_child, [T]}, permanent, 100, worker, []}]}}.
start_child(T) -> P = spawn_link(fun() -> receive stop -> ok end end), T ! {started, P}, {ok, P}.

p(X) -> io:format("~p~n", [X]).
