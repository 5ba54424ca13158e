%% What a table tells of itself, and who is no table.
-module(ets_info).
-export([main/0]).

main() ->
    Me = self(),
    T = ets:new(plain, [bag, public, {keypos, 2}, {heir, Me, gift}]),
    Info = ets:info(T),
    p([Name || {Name, _} <- Info]),
    p([{Name, proplists:get_value(Name, Info)} || Name <- [name, size, named_table, type, keypos, protection, compressed, node]]),
    p({proplists:get_value(owner, Info) =:= Me, proplists:get_value(heir, Info) =:= Me, proplists:get_value(id, Info) =:= T}),
    U = ets:new(other, [named_table]),
    p({U, ets:info(U, heir), is_reference(ets:info(U, id)), ets:info(U, id) =:= ets:whereis(other)}),
    [p(ets:info(U, Item)) || Item <- [type, fixed, read_concurrency, write_concurrency, decentralized_counters]],
    p(try ets:info(U, colour) catch error:E1 -> E1 end),
    ets:delete(T),
    p({ets:info(T), ets:info(T, size), ets:info(no_table), ets:info(no_table, size)}),
    [p(try ets:info(X) catch error:E2 -> E2 end) || X <- [1, 1.5, "table", {table}, Me]],
    p(try ets:info(7, size) catch error:E3 -> E3 end).

p(X) -> io:format("~p~n", [X]).
