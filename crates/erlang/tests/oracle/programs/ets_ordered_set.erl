%% An ordered set: keys in term order, 1 and 1.0 are one key.
-module(ets_ordered_set).
-export([main/0]).

main() ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{3, c}, {1, a}, {2, b}, {x, atom}, {"s", str}]),
    p(ets:tab2list(T)),
    ets:insert(T, {1.0, float}),
    p(ets:lookup(T, 1)),
    p({ets:first(T), ets:last(T), ets:next(T, 2), ets:prev(T, 2), ets:next(T, "s")}),
    p(ets:next(T, 2.5)),
    p(walk(T, ets:first(T))),
    p(ets:foldl(fun({K, _}, A) -> [K | A] end, [], T)),
    p(ets:foldr(fun({K, _}, A) -> [K | A] end, [], T)),
    ets:delete(T).

walk(_, '$end_of_table') -> [];
walk(T, K) -> [K | walk(T, ets:next(T, K))].

p(X) -> io:format("~p~n", [X]).
