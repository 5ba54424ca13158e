%% A duplicate bag keeps equal objects too.
-module(ets_duplicate_bag).
-export([main/0]).

main() ->
    T = ets:new(t, [duplicate_bag]),
    ets:insert(T, [{a, 1}, {a, 2}, {a, 1}]),
    p(ets:lookup(T, a)), p(ets:info(T, size)),
    p(ets:delete_object(T, {a, 1})), p(ets:lookup(T, a)),
    p(ets:match(T, {a, '$1'})),
    ets:delete(T).

p(X) -> io:format("~p~n", [X]).
