%% start_child, terminate_child, restart_child, delete_child, get_childspec.
-module(supervisor_dynamic).
-export([main/0]).
-behaviour(supervisor).
-export([init/1, start_child/0]).

main() ->
    {ok, Sup} = supervisor:start_link({local, dynamic_sup}, ?MODULE, []),
    Spec = #{id => x, start => {?MODULE, start_child, []}, restart => temporary},
    {ok, P} = supervisor:start_child(dynamic_sup, Spec#{restart := permanent}),
    p(is_process_alive(P)),
    p(element(1, element(2, supervisor:start_child(dynamic_sup, Spec)))),
    p(supervisor:terminate_child(dynamic_sup, x)), p(is_process_alive(P)),
    p(supervisor:which_children(dynamic_sup)),
    p(supervisor:start_child(dynamic_sup, Spec)),
    {ok, Q} = supervisor:restart_child(dynamic_sup, x),
    p(is_process_alive(Q)),
    p(supervisor:restart_child(dynamic_sup, x)),
    p(supervisor:delete_child(dynamic_sup, x)),
    {ok, S} = supervisor:get_childspec(dynamic_sup, x),
    p(maps:with([id, restart, shutdown, type], S)),
    p(supervisor:terminate_child(dynamic_sup, x)), p(supervisor:delete_child(dynamic_sup, x)),
    p(supervisor:delete_child(dynamic_sup, x)), p(supervisor:terminate_child(dynamic_sup, nobody)),
    p(supervisor:which_children(dynamic_sup)),
    unlink(Sup), M = monitor(process, Sup), exit(Sup, shutdown), receive {'DOWN', M, _, _, _} -> ok end.

init([]) -> {ok, {{one_for_one, 1, 5}, []}}.
start_child() -> {ok, spawn_link(fun() -> receive stop -> ok end end)}.

p(X) -> io:format("~p~n", [X]).
