%% Named tables: by name, rename, whereis, clash.
-module(ets_named).
-export([main/0]).

main() ->
    p(ets:new(named_one, [named_table, public])),
    ets:insert(named_one, {k, v}),
    p(ets:lookup(named_one, k)),
    p(try ets:new(named_one, [named_table]) catch error:E -> E end),
    p(ets:rename(named_one, named_two)),
    p(ets:lookup(named_two, k)),
    p(ets:whereis(named_one)),
    p(is_reference(ets:whereis(named_two))),
    p(ets:info(named_two, named_table)),
    p(ets:info(named_two, name)),
    p(ets:delete(named_two)),
    p(try ets:lookup(named_two, k) catch error:E2 -> E2 end).

p(X) -> io:format("~p~n", [X]).
