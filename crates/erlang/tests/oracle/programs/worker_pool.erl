%% A pool hands tasks to whoever is free; results are collected by key.
-module(worker_pool).
-export([main/0]).

main() ->
    Self = self(),
    Workers = [spawn(fun() -> worker(Self) end) || _ <- lists:seq(1, 3)],
    p(lists:sort(dispatch(lists:seq(1, 12), Workers, [], 12))),
    [W ! stop || W <- Workers].

worker(Boss) ->
    Boss ! {free, self()},
    receive {task, N} -> Boss ! {result, N, N * N}, worker(Boss); stop -> ok end.

dispatch(_, _, Done, 0) -> Done;
dispatch(Tasks, Ws, Done, Left) ->
    receive
        {free, W} when Tasks =/= [] -> W ! {task, hd(Tasks)}, dispatch(tl(Tasks), Ws, Done, Left);
        {result, N, R} -> dispatch(Tasks, Ws, [{N, R} | Done], Left - 1)
    end.

p(X) -> io:format("~p~n", [X]).
