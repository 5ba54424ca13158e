%% A bag keeps different objects of one key, in the order of insertion.
-module(ets_bag).
-export([main/0]).

main() ->
    T = ets:new(t, [bag]),
    ets:insert(T, [{a, 1}, {a, 2}, {a, 1}, {b, 1}]),
    p(ets:lookup(T, a)), p(ets:info(T, size)),
    p(ets:lookup_element(T, a, 2)),
    p(ets:delete_object(T, {a, 1})), p(ets:lookup(T, a)),
    p(ets:insert_new(T, {a, 9})), p(ets:insert_new(T, {c, 9})),
    p(ets:take(T, a)), p(ets:lookup(T, a)),
    ets:delete(T).

p(X) -> io:format("~p~n", [X]).
