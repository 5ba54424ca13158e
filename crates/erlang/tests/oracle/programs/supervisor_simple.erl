%% simple_one_for_one: children of one kind, made on demand.
-module(supervisor_simple).
-export([main/0]).
-behaviour(supervisor).
-export([init/1, start_worker/2]).

main() ->
    {ok, Sup} = supervisor:start_link(?MODULE, self()),
    Ps = [begin {ok, P} = supervisor:start_child(Sup, [N]), P end || N <- [1, 2, 3]],
    [P ! {ask, self()} || P <- Ps],
    p([receive {P, N} -> N end || P <- Ps]),
    p(supervisor:count_children(Sup)),
    p(supervisor:terminate_child(Sup, hd(Ps))),
    p(length(supervisor:which_children(Sup))),
    p({element(1, hd(supervisor:which_children(Sup)))}),
    unlink(Sup), M = monitor(process, Sup), exit(Sup, shutdown), receive {'DOWN', M, _, _, R} -> p(R) end,
    p([is_process_alive(P) || P <- Ps]).

init(_) -> {ok, {#{strategy => simple_one_for_one}, [#{id => w, start => {?MODULE, start_worker, [base]}, restart => temporary, shutdown => brutal_kill}]}}.
start_worker(base, N) -> {ok, spawn_link(fun() -> loop(N) end)}.
loop(N) -> receive {ask, From} -> From ! {self(), N}, loop(N) end.

p(X) -> io:format("~p~n", [X]).
