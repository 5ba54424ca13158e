-module(errors_of_numbers).
-export([main/0]).

main() ->
    t(1, fun() -> id(a) + 1 end),
    t(2, fun() -> 1 div id(0) end),
    t(3, fun() -> 1 rem id(0) end),
    t(4, fun() -> 1 / id(0) end),
    t(5, fun() -> 1 / id(0.0) end),
    t(6, fun() -> id(a) - 1 end),
    t(7, fun() -> -id(a) end),
    t(8, fun() -> id(1.5) div 1 end),
    t(9, fun() -> id(1.5) band 1 end),
    t(10, fun() -> bnot id(a) end),
    t(11, fun() -> 1 bsl id(a) end),
    t(12, fun() -> abs(id(a)) end),
    t(13, fun() -> round(id(a)) end),
    t(14, fun() -> trunc(id("x")) end),
    t(15, fun() -> float(id(a)) end),
    t(16, fun() -> list_to_integer(id("a")) end),
    t(17, fun() -> list_to_integer("10", id(1)) end),
    t(18, fun() -> list_to_integer("zz", 36) end),
    t(19, fun() -> integer_to_list(id(a)) end),
    t(20, fun() -> integer_to_list(10, id(40)) end),
    t(21, fun() -> list_to_float(id("1")) end),
    t(22, fun() -> list_to_float(id("1.0e400")) end),
    t(23, fun() -> float_to_list(id(1)) end),
    t(24, fun() -> binary_to_integer(id(<<"">>)) end),
    t(25, fun() -> binary_to_float(id(<<"1">>)) end),
    t(26, fun() -> math:sqrt(id(-1)) end),
    t(27, fun() -> math:log(id(0)) end),
    t(28, fun() -> math:pow(id(10), 400) end),
    t(29, fun() -> max(id(1), a) end),
    t(30, fun() -> min(id([]), {}) end),
    t(31, fun() -> ceil(id(1.2)) end),
    t(32, fun() -> floor(id(-1.2)) end),
    t(33, fun() -> math:fmod(5, id(0)) end),
    t(34, fun() -> 1.0e308 * id(10) end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

id(X) -> X.
