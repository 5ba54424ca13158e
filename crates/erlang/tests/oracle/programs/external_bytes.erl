-module(external_bytes).
-export([main/0]).

main() ->
    t(1, fun() -> term_to_binary(1) end),
    t(2, fun() -> term_to_binary(-5) end),
    t(3, fun() -> term_to_binary(300) end),
    t(4, fun() -> term_to_binary(1 bsl 40) end),
    t(5, fun() -> term_to_binary(a) end),
    t(6, fun() -> term_to_binary([]) end),
    t(7, fun() -> term_to_binary("abc") end),
    t(8, fun() -> term_to_binary([1,300]) end),
    t(9, fun() -> term_to_binary({a}) end),
    t(10, fun() -> term_to_binary(#{a => b}) end),
    t(11, fun() -> term_to_binary(<<"x">>) end),
    t(12, fun() -> term_to_binary(<<3:2>>) end),
    t(13, fun() -> term_to_binary(-0.0) end),
    t(14, fun() -> term_to_binary(1.5) end),
    t(15, fun() -> term_to_binary(1.5, [{minor_version, 1}]) end),
    t(16, fun() -> term_to_binary(a, [{minor_version, 1}]) end),
    t(17, fun() -> term_to_binary("\x{e9}", [{minor_version, 1}]) end),
    t(18, fun() -> term_to_binary(a, [{minor_version, 2}]) end),
    t(19, fun() -> term_to_binary(a, [bad]) end),
    t(20, fun() -> iolist_to_binary(term_to_iovec({a, 1})) end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

