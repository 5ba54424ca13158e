%% update_counter in all its forms.
-module(ets_counters).
-export([main/0]).

main() ->
    T = ets:new(t, []),
    ets:insert(T, {hits, 0, 10}),
    p(ets:update_counter(T, hits, 1)), p(ets:update_counter(T, hits, 5)),
    p(ets:update_counter(T, hits, {3, -3})), p(ets:update_counter(T, hits, [{2, 1}, {3, 1}])),
    p(ets:update_counter(T, hits, {2, 10, 12, 0})),
    p(ets:update_counter(T, new, 1, {new, 41})),
    p(ets:lookup(T, new)), p(ets:lookup(T, hits)),
    p(try ets:update_counter(T, nokey, 1) catch error:E -> E end),
    ets:insert(T, {text, "x"}),
    p(try ets:update_counter(T, text, 1) catch error:E2 -> E2 end),
    ets:delete(T).

p(X) -> io:format("~p~n", [X]).
