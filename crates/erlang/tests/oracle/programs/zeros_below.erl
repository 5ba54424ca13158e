-module(zeros_below).
-export([main/0]).

main() ->
    t(1, fun() -> -0.0 end),
    t(2, fun() -> 0.0 == -0.0 end),
    t(3, fun() -> lists:flatten(io_lib:format("~p ~w ~.2f ~g", [-0.0, -0.0, -0.0, -0.0])) end),
    t(4, fun() -> float_to_list(-0.0) end),
    t(5, fun() -> float_to_list(-0.0, [{decimals, 2}]) end),
    t(6, fun() -> float_to_binary(-0.0, [short]) end),
    t(7, fun() -> abs(-0.0) end),
    t(8, fun() -> -(0.0) end),
    t(9, fun() -> 0.0 * -1 end),
    t(10, fun() -> 0 * -1.0 end),
    t(11, fun() -> round(-0.4) end),
    t(12, fun() -> trunc(-0.5) end),
    t(13, fun() -> -0.0 + 0.0 end),
    t(14, fun() -> -0.0 - 0.0 end),
    t(15, fun() -> max(0.0, -0.0) == 0 end),
    t(16, fun() -> list_to_float("-0.0") end),
    t(17, fun() -> <<(-0.0)/float>> end),
    t(18, fun() -> term_to_binary(-0.0) =:= term_to_binary(0.0) end),
    t(19, fun() -> math:sqrt(-0.0) end),
    t(20, fun() -> ceil(-0.5) end),
    t(21, fun() -> math:ceil(-0.5) end),
    t(22, fun() -> math:floor(-0.0) end),
    t(23, fun() -> 1 / math:pow(10, 400 - 200) > 0 end),
    t(24, fun() -> lists:sort([0, -0.0, 0.0]) end),
    t(25, fun() -> maps:size(#{0.0 => a, 0 => b}) end),
    t(26, fun() -> erlang:phash2(0) end),
    t(27, fun() -> float(0) end),
    t(28, fun() -> float(-0) end),
    t(29, fun() -> math:atan2(0.0, -1.0) > 3 end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

