-module(external_sizes).
-export([main/0]).

main() ->
    t(1, fun() -> byte_size(term_to_binary(0)) end),
    t(2, fun() -> byte_size(term_to_binary(255)) end),
    t(3, fun() -> byte_size(term_to_binary(256)) end),
    t(4, fun() -> byte_size(term_to_binary(-1)) end),
    t(5, fun() -> byte_size(term_to_binary(1 bsl 31)) end),
    t(6, fun() -> byte_size(term_to_binary(1 bsl 64)) end),
    t(7, fun() -> byte_size(term_to_binary(1.5)) end),
    t(8, fun() -> byte_size(term_to_binary(a)) end),
    t(9, fun() -> byte_size(term_to_binary('')) end),
    t(10, fun() -> byte_size(term_to_binary([])) end),
    t(11, fun() -> byte_size(term_to_binary([1,2])) end),
    t(12, fun() -> byte_size(term_to_binary("ab")) end),
    t(13, fun() -> byte_size(term_to_binary([a|b])) end),
    t(14, fun() -> byte_size(term_to_binary({})) end),
    t(15, fun() -> byte_size(term_to_binary({a,b})) end),
    t(16, fun() -> byte_size(term_to_binary(#{})) end),
    t(17, fun() -> byte_size(term_to_binary(#{a => 1})) end),
    t(18, fun() -> byte_size(term_to_binary(<<>>)) end),
    t(19, fun() -> byte_size(term_to_binary(<<1,2>>)) end),
    t(20, fun() -> byte_size(term_to_binary(<<1:3>>)) end),
    t(21, fun() -> erlang:external_size(a) end),
    t(22, fun() -> erlang:external_size([1]) end),
    t(23, fun() -> erlang:external_size(1.0) end),
    t(24, fun() -> erlang:external_size(<<1>>) end),
    t(25, fun() -> erlang:external_size("ab") end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

