%% The modules counters and atomics.
-module(counters_and_atomics).
-export([main/0]).

main() ->
    C = counters:new(3, []),
    counters:add(C, 1, 5), counters:sub(C, 1, 2), counters:put(C, 2, 7),
    p([counters:get(C, I) || I <- [1, 2, 3]]),
    p(maps:get(size, counters:info(C))),
    A = atomics:new(2, [{signed, true}]),
    p(atomics:add_get(A, 1, 5)), p(atomics:sub_get(A, 1, 7)),
    p(atomics:exchange(A, 1, 100)), p(atomics:compare_exchange(A, 1, 100, 1)), p(atomics:compare_exchange(A, 1, 100, 2)),
    p(atomics:get(A, 1)),
    p(atomics:put(A, 2, 9)),
    p(atomics:get(A, 2)),
    p(try atomics:get(A, 3) catch error:E -> E end),
    Ps = [spawn_monitor(fun() -> [counters:add(C, 3, 1) || _ <- lists:seq(1, 100)] end) || _ <- lists:seq(1, 5)],
    [receive {'DOWN', M, _, _, _} -> ok end || {_, M} <- Ps],
    p(counters:get(C, 3)).

p(X) -> io:format("~p~n", [X]).
