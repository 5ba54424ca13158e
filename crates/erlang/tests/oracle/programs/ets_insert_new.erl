%% insert_new is all or nothing.
-module(ets_insert_new).
-export([main/0]).

main() ->
    T = ets:new(t, []),
    p(ets:insert_new(T, {a, 1})), p(ets:insert_new(T, {a, 2})), p(ets:lookup(T, a)),
    p(ets:insert_new(T, [{b, 1}, {a, 3}])), p(ets:lookup(T, b)),
    p(ets:insert_new(T, [{b, 1}, {c, 3}])), p(lists:sort(ets:tab2list(T))),
    p(ets:update_element(T, a, {2, x})), p(ets:update_element(T, z, {2, x})),
    p(ets:lookup_element(T, a, 2)),
    p(try ets:lookup_element(T, z, 2) catch error:E -> E end),
    p(ets:delete_all_objects(T)), p(ets:info(T, size)),
    ets:delete(T).

p(X) -> io:format("~p~n", [X]).
