-module(fields_of_formats).
-export([main/0]).

main() ->
    t(1, fun() -> lists:flatten(io_lib:format("~10w|", [abc])) end),
    t(2, fun() -> lists:flatten(io_lib:format("~-10w|", [abc])) end),
    t(3, fun() -> lists:flatten(io_lib:format("~10.2w|", [abc])) end),
    t(4, fun() -> lists:flatten(io_lib:format("~.3w|", [abcdef])) end),
    t(5, fun() -> lists:flatten(io_lib:format("~5s|", ["abcdef"])) end),
    t(6, fun() -> lists:flatten(io_lib:format("~.5s|", ["abcdefgh"])) end),
    t(7, fun() -> lists:flatten(io_lib:format("~10.3s|", ["abcdef"])) end),
    t(8, fun() -> lists:flatten(io_lib:format("~-10.3s|", ["abcdef"])) end),
    t(9, fun() -> lists:flatten(io_lib:format("~10.3.*s|", [$*, "abcdef"])) end),
    t(10, fun() -> lists:flatten(io_lib:format("~*s|", [6, "ab"])) end),
    t(11, fun() -> lists:flatten(io_lib:format("~.*s|", [2, "abc"])) end),
    t(12, fun() -> lists:flatten(io_lib:format("~5c|", [$x])) end),
    t(13, fun() -> lists:flatten(io_lib:format("~5.2c|", [$x])) end),
    t(14, fun() -> lists:flatten(io_lib:format("~c~c", [65, 66])) end),
    t(15, fun() -> lists:flatten(io_lib:format("~3.2.0f|", [1.5])) end),
    t(16, fun() -> lists:flatten(io_lib:format("~8.3f|", [3.14159])) end),
    t(17, fun() -> lists:flatten(io_lib:format("~.1f", [0.05])) end),
    t(18, fun() -> lists:flatten(io_lib:format("~e", [1234.5])) end),
    t(19, fun() -> lists:flatten(io_lib:format("~.3e", [0.00012])) end),
    t(20, fun() -> lists:flatten(io_lib:format("~g", [1.0e10])) end),
    t(21, fun() -> lists:flatten(io_lib:format("~g", [12.5])) end),
    t(22, fun() -> lists:flatten(io_lib:format("~.4g", [12.34567])) end),
    t(23, fun() -> lists:flatten(io_lib:format("~b", [-12])) end),
    t(24, fun() -> lists:flatten(io_lib:format("~5b|", [12])) end),
    t(25, fun() -> lists:flatten(io_lib:format("~.16b", [255])) end),
    t(26, fun() -> lists:flatten(io_lib:format("~.16B", [255])) end),
    t(27, fun() -> lists:flatten(io_lib:format("~#", [255])) end),
    t(28, fun() -> lists:flatten(io_lib:format("~.16#", [-255])) end),
    t(29, fun() -> lists:flatten(io_lib:format("~.2+", [5])) end),
    t(30, fun() -> lists:flatten(io_lib:format("~x", [10, "0x"])) end),
    t(31, fun() -> lists:flatten(io_lib:format("~.16X", [-31, "16#"])) end),
    t(32, fun() -> lists:flatten(io_lib:format("~i~w", [a, b])) end),
    t(33, fun() -> lists:flatten(io_lib:format("~~~n", [])) end),
    t(34, fun() -> lists:flatten(io_lib:format("~w", [])) end),
    t(35, fun() -> lists:flatten(io_lib:format("~w", [a, b])) end),
    t(36, fun() -> lists:flatten(io_lib:format("~q", [a])) end),
    t(37, fun() -> lists:flatten(io_lib:format("~s", [a])) end),
    t(38, fun() -> lists:flatten(io_lib:format("~s", [1])) end),
    t(39, fun() -> lists:flatten(io_lib:format("~s", [[955]])) end),
    t(40, fun() -> lists:flatten(io_lib:format("~ts", [[955]])) end),
    t(41, fun() -> lists:flatten(io_lib:format("~ts", [<<206,187>>])) end),
    t(42, fun() -> lists:flatten(io_lib:format("~s", [<<206,187>>])) end),
    t(43, fun() -> lists:flatten(io_lib:format("~tw", [[955]])) end),
    t(44, fun() -> lists:flatten(io_lib:format("~tp", [[955]])) end),
    t(45, fun() -> lists:flatten(io_lib:format("~p", [[955]])) end),
    t(46, fun() -> lists:flatten(io_lib:format("~ta", [a])) end),
    t(47, fun() -> lists:flatten(io_lib:format("~f", [a])) end),
    t(48, fun() -> lists:flatten(io_lib:format("~b", [1.0])) end),
    t(49, fun() -> lists:flatten(io_lib:format("~c", [a])) end),
    t(50, fun() -> lists:flatten(io_lib:format("~5", [a])) end),
    t(51, fun() -> lists:flatten(io_lib:format("~", [])) end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

