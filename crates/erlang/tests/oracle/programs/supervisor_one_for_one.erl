%% Only the child that died is started again.
-module(supervisor_one_for_one).
-export([main/0]).
-behaviour(supervisor).
-export([init/1, start_child/1]).

main() ->
    {ok, Sup} = supervisor:start_link(?MODULE, []),
    [{b, B1, _, _}, {a, A1, _, _}] = supervisor:which_children(Sup),
    p([is_pid(X) || X <- [A1, B1]]),
    M = monitor(process, A1),
    exit(A1, kill),
    receive {'DOWN', M, _, _, R} -> p(R) end,
    gone(Sup, A1),
    [{b, B2, _, _}, {a, A2, _, _}] = supervisor:which_children(Sup),
    p({A1 =:= A2, B1 =:= B2}),
    p(supervisor:count_children(Sup)),
    stop(Sup).

stop(Sup) -> unlink(Sup), M = monitor(process, Sup), exit(Sup, shutdown), receive {'DOWN', M, _, _, R} -> p(R) end.
%% The supervisor may hear of a death after we do: ask until it has.
gone(Sup, Pid) ->
    case lists:keymember(Pid, 2, supervisor:which_children(Sup)) of
        true -> timer:sleep(1), gone(Sup, Pid);
        false -> ok
    end.

init([]) -> {ok, {{one_for_one, 3, 10}, [child(a), child(b)]}}.
child(Id) -> {Id, {?MODULE, start_child, [Id]}, permanent, 1000, worker, [?MODULE]}.
start_child(_) -> {ok, spawn_link(fun() -> receive stop -> ok end end)}.

p(X) -> io:format("~p~n", [X]).
