%% Never more than two inside.
-module(semaphore).
-export([main/0]).

main() ->
    T = ets:new(inside, [public]),
    ets:insert(T, [{now, 0}, {most, 0}]),
    S = spawn(fun() -> semaphore(2, queue:new()) end),
    Ps = [spawn_monitor(fun() -> work(S, T, 10) end) || _ <- lists:seq(1, 6)],
    [receive {'DOWN', M, _, _, normal} -> ok end || {_, M} <- Ps],
    [{_, Most}] = ets:lookup(T, most),
    p(Most =< 2), p(ets:lookup(T, now)),
    ets:delete(T), S ! stop.

work(_, _, 0) -> ok;
work(S, T, N) ->
    S ! {acquire, self()},
    receive acquired -> ok end,
    Now = ets:update_counter(T, now, 1),
    ets:update_counter(T, most, {2, 0}),
    case Now > 2 of true -> ets:insert(T, {most, Now}); false -> ok end,
    erlang:yield(),
    ets:update_counter(T, now, -1),
    S ! release,
    work(S, T, N - 1).

semaphore(N, Q) ->
    receive
        {acquire, P} when N > 0 -> P ! acquired, semaphore(N - 1, Q);
        {acquire, P} -> semaphore(N, queue:in(P, Q));
        release ->
            case queue:out(Q) of
                {{value, P}, R} -> P ! acquired, semaphore(N, R);
                {empty, _} -> semaphore(N + 1, Q)
            end;
        stop -> ok
    end.

p(X) -> io:format("~p~n", [X]).
