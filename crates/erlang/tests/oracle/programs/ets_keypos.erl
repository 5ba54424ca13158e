%% Records in a table by another position.
-module(ets_keypos).
-export([main/0]).

-record(user, {name, id}).
main() ->
    T = ets:new(users, [{keypos, #user.id}]),
    ets:insert(T, #user{name = ann, id = 1}),
    ets:insert(T, #user{name = bob, id = 2}),
    p(ets:lookup(T, 2)),
    p(ets:lookup_element(T, 1, #user.name)),
    p(ets:update_element(T, 1, {#user.name, eve})),
    p(ets:lookup(T, 1)),
    p(try ets:insert(T, {too_short}) catch error:E -> E end),
    p(lists:sort(ets:match(T, #user{name = '$1', id = '$2'}))),
    ets:delete(T).

p(X) -> io:format("~p~n", [X]).
