-module(cases_of_letters).
-export([main/0]).

main() ->
    t(1, fun() -> string:titlecase("abc dEF") end),
    t(2, fun() -> string:titlecase([16#1C6, $x]) end),
    t(3, fun() -> string:titlecase([16#DF, $s]) end),
    t(4, fun() -> string:titlecase([16#FB01]) end),
    t(5, fun() -> string:titlecase([16#130]) end),
    t(6, fun() -> string:titlecase(<<"\x{e9}T\x{c9}"/utf8>>) end),
    t(7, fun() -> string:titlecase("") end),
    t(8, fun() -> string:titlecase("1a") end),
    t(9, fun() -> string:uppercase("abc dEF") end),
    t(10, fun() -> string:uppercase([16#1C6, $x]) end),
    t(11, fun() -> string:uppercase([16#DF, $s]) end),
    t(12, fun() -> string:uppercase([16#FB01]) end),
    t(13, fun() -> string:uppercase([16#130]) end),
    t(14, fun() -> string:uppercase(<<"\x{e9}T\x{c9}"/utf8>>) end),
    t(15, fun() -> string:uppercase("") end),
    t(16, fun() -> string:uppercase("1a") end),
    t(17, fun() -> string:lowercase("abc dEF") end),
    t(18, fun() -> string:lowercase([16#1C6, $x]) end),
    t(19, fun() -> string:lowercase([16#DF, $s]) end),
    t(20, fun() -> string:lowercase([16#FB01]) end),
    t(21, fun() -> string:lowercase([16#130]) end),
    t(22, fun() -> string:lowercase(<<"\x{e9}T\x{c9}"/utf8>>) end),
    t(23, fun() -> string:lowercase("") end),
    t(24, fun() -> string:lowercase("1a") end),
    t(25, fun() -> string:casefold("abc dEF") end),
    t(26, fun() -> string:casefold([16#1C6, $x]) end),
    t(27, fun() -> string:casefold([16#DF, $s]) end),
    t(28, fun() -> string:casefold([16#FB01]) end),
    t(29, fun() -> string:casefold([16#130]) end),
    t(30, fun() -> string:casefold(<<"\x{e9}T\x{c9}"/utf8>>) end),
    t(31, fun() -> string:casefold("") end),
    t(32, fun() -> string:casefold("1a") end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

