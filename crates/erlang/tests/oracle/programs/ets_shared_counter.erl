%% Processes count in one table; update_counter loses nothing.
-module(ets_shared_counter).
-export([main/0]).

main() ->
    T = ets:new(t, [public]),
    ets:insert(T, {n, 0}),
    Ps = [spawn_monitor(fun() -> [ets:update_counter(T, n, 1) || _ <- lists:seq(1, 200)] end) || _ <- lists:seq(1, 10)],
    [receive {'DOWN', M, _, _, normal} -> ok end || {_, M} <- Ps],
    p(ets:lookup(T, n)),
    ets:delete(T).

p(X) -> io:format("~p~n", [X]).
