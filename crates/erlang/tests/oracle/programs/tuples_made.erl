-module(tuples_made).
-export([main/0]).

main() ->
    t(1, fun() -> erlang:make_tuple(0, x) end),
    t(2, fun() -> erlang:make_tuple(3, []) end),
    t(3, fun() -> erlang:make_tuple(3, x, [{2, y}]) end),
    t(4, fun() -> erlang:make_tuple(3, x, [{2, y}, {2, z}]) end),
    t(5, fun() -> erlang:make_tuple(3, x, [{4, y}]) end),
    t(6, fun() -> erlang:make_tuple(3, x, [{0, y}]) end),
    t(7, fun() -> erlang:make_tuple(-1, x) end),
    t(8, fun() -> erlang:make_tuple(3, x, [bad]) end),
    t(9, fun() -> erlang:make_tuple(2, x, y) end),
    t(10, fun() -> erlang:append_element({}, a) end),
    t(11, fun() -> erlang:append_element({a}, {b}) end),
    t(12, fun() -> erlang:insert_element(1, {a}, b) end),
    t(13, fun() -> erlang:insert_element(3, {a}, b) end),
    t(14, fun() -> erlang:delete_element(1, {a, b}) end),
    t(15, fun() -> erlang:delete_element(3, {a, b}) end),
    t(16, fun() -> setelement(2, {a, b}, c) end),
    t(17, fun() -> setelement(3, {a, b}, c) end),
    t(18, fun() -> setelement(0, {a, b}, c) end),
    t(19, fun() -> element(1, {}) end),
    t(20, fun() -> element(a, {a}) end),
    t(21, fun() -> tuple_size({}) end),
    t(22, fun() -> tuple_size([]) end),
    t(23, fun() -> list_to_tuple([1|2]) end),
    t(24, fun() -> tuple_to_list([]) end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

