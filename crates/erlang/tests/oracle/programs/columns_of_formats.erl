-module(columns_of_formats).
-export([main/0]).

main() ->
    t(1, fun() -> lists:flatten(io_lib:format("~20p", [lists:seq(1, 20)])) end),
    t(2, fun() -> lists:flatten(io_lib:format("~20p", [{alpha, beta, gamma, {delta, epsilon}, zeta}])) end),
    t(3, fun() -> lists:flatten(io_lib:format("~20p", [#{alpha => beta, gamma => [delta, epsilon]}])) end),
    t(4, fun() -> lists:flatten(io_lib:format("~20p", [[{a, "some text"}, {b, <<"binary text here">>}]])) end),
    t(5, fun() -> lists:flatten(io_lib:format("~20p", [lists:duplicate(3, lists:seq(1, 12))])) end),
    t(6, fun() -> lists:flatten(io_lib:format("~20p", [{record, [{key, value}, {other_key, other_value}]}])) end),
    t(7, fun() -> lists:flatten(io_lib:format("~40p", [lists:seq(1, 20)])) end),
    t(8, fun() -> lists:flatten(io_lib:format("~40p", [{alpha, beta, gamma, {delta, epsilon}, zeta}])) end),
    t(9, fun() -> lists:flatten(io_lib:format("~40p", [#{alpha => beta, gamma => [delta, epsilon]}])) end),
    t(10, fun() -> lists:flatten(io_lib:format("~40p", [[{a, "some text"}, {b, <<"binary text here">>}]])) end),
    t(11, fun() -> lists:flatten(io_lib:format("~40p", [lists:duplicate(3, lists:seq(1, 12))])) end),
    t(12, fun() -> lists:flatten(io_lib:format("~40p", [{record, [{key, value}, {other_key, other_value}]}])) end),
    t(13, fun() -> lists:flatten(io_lib:format("abc ~p", [lists:seq(1, 40)])) end),
    t(14, fun() -> lists:flatten(io_lib:format("~n   ~p", [{aaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, cccccccccccccccccccccccccc}])) end),
    t(15, fun() -> lists:flatten(io_lib:format("~10.5p", [abcdef])) end),
    t(16, fun() -> lists:flatten(io_lib:format("~0p", [lists:seq(1, 60)])) end),
    t(17, fun() -> lists:flatten(io_lib:format("~80.3p", [lists:seq(1, 60)])) end),
    t(18, fun() -> lists:flatten(io_lib:format("~p", [lists:duplicate(30, "word")])) end),
    t(19, fun() -> lists:flatten(io_lib:format("~p", [["a", "b" | "c"]])) end),
    t(20, fun() -> lists:flatten(io_lib:format("~p", [<<"long binary ", 0:200>>])) end),
    t(21, fun() -> lists:flatten(io_lib:format("~p", [list_to_binary(lists:duplicate(90, $x))])) end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

