%% A set: one object for each key.
-module(ets_set).
-export([main/0]).

main() ->
    T = ets:new(t, [set]),
    p(ets:insert(T, {a, 1})), p(ets:insert(T, [{b, 2}, {a, 3}])),
    p(ets:lookup(T, a)), p(ets:lookup(T, z)), p(lists:sort(ets:tab2list(T))),
    p(ets:member(T, a)), p(ets:delete(T, a)), p(ets:member(T, a)),
    p(ets:insert(T, {1, int})), p(ets:lookup(T, 1.0)),
    p(ets:info(T, size)), p(ets:info(T, type)), p(ets:info(T, keypos)),
    p(ets:delete(T)), p(ets:info(T)).

p(X) -> io:format("~p~n", [X]).
