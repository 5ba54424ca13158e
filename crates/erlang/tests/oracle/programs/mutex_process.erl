%% A lock as a process; each client adds to a table under it.
-module(mutex_process).
-export([main/0]).

main() ->
    T = ets:new(shared, [public]),
    ets:insert(T, {counter, 0}),
    Lock = spawn(fun unlocked/0),
    Pids = [spawn_monitor(fun() -> client(Lock, T, 20) end) || _ <- lists:seq(1, 5)],
    [receive {'DOWN', M, process, P, R} -> normal = R end || {P, M} <- Pids],
    p(ets:lookup(T, counter)),
    ets:delete(T),
    Lock ! stop.

client(_, _, 0) -> ok;
client(Lock, T, N) ->
    Lock ! {lock, self()},
    receive locked -> ok end,
    [{_, V}] = ets:lookup(T, counter),
    ets:insert(T, {counter, V + 1}),
    Lock ! {unlock, self()},
    client(Lock, T, N - 1).

unlocked() -> receive {lock, P} -> P ! locked, locked(P); stop -> ok end.

locked(P) -> receive {unlock, P} -> unlocked() end.

p(X) -> io:format("~p~n", [X]).
