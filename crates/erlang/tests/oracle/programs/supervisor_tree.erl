%% A supervisor under a supervisor; a failure below does not reach the top.
-module(supervisor_tree).
-export([main/0]).
-behaviour(supervisor).
-export([init/1, start_worker/1, start_sup/1]).

main() ->
    {ok, Top} = supervisor:start_link(?MODULE, {top, self()}),
    [P1, P2] = lists:sort([receive {started, N, P} -> {N, P} end || _ <- [1, 2]]),
    p([element(1, P1), element(1, P2)]),
    exit(element(2, P1), kill),
    receive {started, N, _} -> p({again, N}) end,
    p([{I, T} || {I, _, T, _} <- supervisor:which_children(Top)]),
    unlink(Top), M = monitor(process, Top), exit(Top, shutdown), receive {'DOWN', M, _, _, R} -> p(R) end.

init({top, T}) -> {ok, {{one_for_all, 0, 1}, [#{id => low, start => {?MODULE, start_sup, [T]}, type => supervisor}]}};
init({low, T}) -> {ok, {{one_for_one, 5, 5}, [#{id => N, start => {?MODULE, start_worker, [{N, T}]}} || N <- [1, 2]]}}.
start_sup(T) -> supervisor:start_link(?MODULE, {low, T}).
start_worker({N, T}) -> P = spawn_link(fun() -> receive stop -> ok end end), T ! {started, N, P}, {ok, P}.

p(X) -> io:format("~p~n", [X]).
