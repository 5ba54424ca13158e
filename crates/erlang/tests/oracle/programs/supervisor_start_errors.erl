%% A child that does not start; bad specifications; ignore.
-module(supervisor_start_errors).
-export([main/0]).
-behaviour(supervisor).
-export([init/1, fail/0, none/0, good/1]).

main() ->
    process_flag(trap_exit, true),
    p(outcome(supervisor:start_link(?MODULE, [child(a, {?MODULE, good, [self()]}), child(b, {?MODULE, fail, []})]))),
    receive {good, P} -> p(is_process_alive(P)) end,
    p(outcome(supervisor:start_link(?MODULE, [{bad_spec}]))),
    {ok, Sup} = supervisor:start_link(?MODULE, [child(i, {?MODULE, none, []})]),
    p([{I, C} || {I, C, _, _} <- supervisor:which_children(Sup)]),
    p(supervisor:start_link(?MODULE, ignore)),
    p(supervisor:check_childspecs([child(x, {m, f, []})])),
    p(supervisor:check_childspecs([nonsense])),
    exit(Sup, shutdown),
    receive {'EXIT', Sup, R} -> p(R) end.

outcome({error, {shutdown, {failed_to_start_child, Id, R}}}) -> {failed, Id, R};
outcome({error, {start_spec, R}}) -> {start_spec, R};
outcome(O) -> O.
child(Id, Start) -> {Id, Start, permanent, 100, worker, []}.
init(ignore) -> ignore;
init(Cs) -> {ok, {{one_for_one, 1, 5}, Cs}}.
good(T) -> P = spawn_link(fun() -> receive stop -> ok end end), T ! {good, P}, {ok, P}.
fail() -> {error, will_not}.
none() -> ignore.

p(X) -> io:format("~p~n", [X]).
