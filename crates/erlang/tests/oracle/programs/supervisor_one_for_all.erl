%% All children are started again when one dies.
-module(supervisor_one_for_all).
-export([main/0]).
-behaviour(supervisor).
-export([init/1, start_child/0]).

main() ->
    {ok, Sup} = supervisor:start_link(?MODULE, []),
    Before = pids(Sup),
    M = monitor(process, hd(Before)),
    exit(hd(Before), kill),
    receive {'DOWN', M, _, _, _} -> ok end,
    gone(Sup, hd(Before)),
    After = pids(Sup),
    p(length(After)),
    p([lists:member(P, Before) || P <- After]),
    unlink(Sup), M2 = monitor(process, Sup), exit(Sup, shutdown), receive {'DOWN', M2, _, _, R} -> p(R) end,
    p([is_process_alive(P) || P <- After]).

%% The supervisor may hear of a death after we do: ask until it has.
gone(Sup, Pid) ->
    case lists:keymember(Pid, 2, supervisor:which_children(Sup)) of
        true -> timer:sleep(1), gone(Sup, Pid);
        false -> ok
    end.

pids(Sup) -> [P || {_, P, _, _} <- supervisor:which_children(Sup)].
init([]) -> {ok, {#{strategy => one_for_all, intensity => 2, period => 5}, [#{id => I, start => {?MODULE, start_child, []}} || I <- [1, 2, 3]]}}.
start_child() -> {ok, spawn_link(fun() -> receive stop -> ok end end)}.

p(X) -> io:format("~p~n", [X]).
