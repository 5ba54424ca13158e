%% permanent, transient and temporary children after normal and abnormal exits.
-module(supervisor_restart_types).
-export([main/0]).
-behaviour(supervisor).
-export([init/1, start_child/0]).

main() ->
    {ok, Sup} = supervisor:start_link(?MODULE, []),
    [begin
         P = proplists:get_value(I, children(Sup)),
         M = monitor(process, P),
         P ! {exit, Reason},
         receive {'DOWN', M, _, _, _} -> ok end,
         gone(Sup, P),
         New = proplists:get_value(I, children(Sup)),
         p({I, Reason, state(P, New)})
     end || {I, Reason} <- [{permanent, normal}, {permanent, bad}, {transient, bad}, {transient, normal}, {temporary, bad}]],
    p([{I, is_pid(P)} || {I, P} <- children(Sup)]),
    unlink(Sup), M2 = monitor(process, Sup), exit(Sup, shutdown), receive {'DOWN', M2, _, _, _} -> ok end.

state(P, P) -> same;
state(_, N) when is_pid(N) -> restarted;
state(_, N) -> N.
%% The supervisor may hear of a death after we do: ask until it has.
gone(Sup, Pid) ->
    case lists:keymember(Pid, 2, supervisor:which_children(Sup)) of
        true -> timer:sleep(1), gone(Sup, Pid);
        false -> ok
    end.

children(Sup) -> lists:sort([{I, P} || {I, P, _, _} <- supervisor:which_children(Sup)]).
init([]) -> {ok, {#{intensity => 10}, [#{id => R, start => {?MODULE, start_child, []}, restart => R} || R <- [permanent, transient, temporary]]}}.
start_child() -> {ok, spawn_link(fun() -> receive {exit, R} -> exit(R) end end)}.

p(X) -> io:format("~p~n", [X]).
