-module(nodes_of_terms).
-export([main/0]).

main() ->
    t(1, fun() -> node() end),
    t(2, fun() -> node(self()) end),
    t(3, fun() -> node(make_ref()) end),
    t(4, fun() -> node(a) end),
    t(5, fun() -> nodes() end),
    t(6, fun() -> nodes(this) end),
    t(7, fun() -> nodes(known) end),
    t(8, fun() -> nodes(connected) end),
    t(9, fun() -> nodes(hidden) end),
    t(10, fun() -> is_alive() end),
    t(11, fun() -> nodes(wrong) end),
    t(12, fun() -> erlang:is_alive() end),
    t(13, fun() -> erlang:get_cookie() end),
    t(14, fun() -> erlang:node() =:= node() end),
    t(15, fun() -> begin {x, node()} ! hello end end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

