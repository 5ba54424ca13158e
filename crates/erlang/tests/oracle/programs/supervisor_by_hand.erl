-module(supervisor_by_hand).
-export([main/0]).

main() ->
    Self = self(),
    Sup = spawn(fun() -> process_flag(trap_exit, true), supervise(Self, start(Self), 2) end),
    M = monitor(process, Sup),
    loop(Sup, M).

loop(Sup, M) ->
    receive
        {worker, W, N} -> io:format("worker ~p~n", [N]), W ! {work, N}, loop(Sup, M);
        {'DOWN', M, process, Sup, R} -> io:format("supervisor: ~p~n", [R])
    end.

start(Main) ->
    N = case get(n) of undefined -> 1; K -> K + 1 end,
    put(n, N),
    spawn_link(fun() -> Main ! {worker, self(), N}, receive {work, N} -> exit({crash, N}) end end).

supervise(Main, Worker, Left) ->
    receive
        {'EXIT', Worker, _} when Left =:= 0 -> exit(too_many_restarts);
        {'EXIT', Worker, _} -> supervise(Main, start(Main), Left - 1)
    end.
