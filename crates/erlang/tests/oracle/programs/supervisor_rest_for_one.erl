%% Those started after the one that died are started again.
-module(supervisor_rest_for_one).
-export([main/0]).
-behaviour(supervisor).
-export([init/1, start_child/0]).

main() ->
    {ok, Sup} = supervisor:start_link(?MODULE, []),
    Before = children(Sup),
    Two = proplists:get_value(2, Before),
    M = monitor(process, Two),
    exit(Two, kill),
    receive {'DOWN', M, _, _, _} -> ok end,
    gone(Sup, Two),
    After = children(Sup),
    p([{I, P =:= proplists:get_value(I, Before)} || {I, P} <- After]),
    unlink(Sup), M2 = monitor(process, Sup), exit(Sup, shutdown), receive {'DOWN', M2, _, _, _} -> ok end.

%% The supervisor may hear of a death after we do: ask until it has.
gone(Sup, Pid) ->
    case lists:keymember(Pid, 2, supervisor:which_children(Sup)) of
        true -> timer:sleep(1), gone(Sup, Pid);
        false -> ok
    end.

children(Sup) -> lists:sort([{I, P} || {I, P, _, _} <- supervisor:which_children(Sup)]).
init([]) -> {ok, {{rest_for_one, 2, 5}, [{I, {?MODULE, start_child, []}, permanent, brutal_kill, worker, []} || I <- [1, 2, 3]]}}.
start_child() -> {ok, spawn_link(fun() -> receive stop -> ok end end)}.

p(X) -> io:format("~p~n", [X]).
