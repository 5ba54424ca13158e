-module(depth_of_formats).
-export([main/0]).

main() ->
    t(1, fun() -> lists:flatten(io_lib:format("~P", [[1,2,3,4,5], 0])) end),
    t(2, fun() -> lists:flatten(io_lib:format("~P", [{a,{b,{c,d}}}, 0])) end),
    t(3, fun() -> lists:flatten(io_lib:format("~P", [#{a => [1,2], b => {x}}, 0])) end),
    t(4, fun() -> lists:flatten(io_lib:format("~P", ["abcdef", 0])) end),
    t(5, fun() -> lists:flatten(io_lib:format("~P", [[1,2,3,4,5], 1])) end),
    t(6, fun() -> lists:flatten(io_lib:format("~P", [{a,{b,{c,d}}}, 1])) end),
    t(7, fun() -> lists:flatten(io_lib:format("~P", [#{a => [1,2], b => {x}}, 1])) end),
    t(8, fun() -> lists:flatten(io_lib:format("~P", ["abcdef", 1])) end),
    t(9, fun() -> lists:flatten(io_lib:format("~P", [[1,2,3,4,5], 2])) end),
    t(10, fun() -> lists:flatten(io_lib:format("~P", [{a,{b,{c,d}}}, 2])) end),
    t(11, fun() -> lists:flatten(io_lib:format("~P", [#{a => [1,2], b => {x}}, 2])) end),
    t(12, fun() -> lists:flatten(io_lib:format("~P", ["abcdef", 2])) end),
    t(13, fun() -> lists:flatten(io_lib:format("~P", [[1,2,3,4,5], 3])) end),
    t(14, fun() -> lists:flatten(io_lib:format("~P", [{a,{b,{c,d}}}, 3])) end),
    t(15, fun() -> lists:flatten(io_lib:format("~P", [#{a => [1,2], b => {x}}, 3])) end),
    t(16, fun() -> lists:flatten(io_lib:format("~P", ["abcdef", 3])) end),
    t(17, fun() -> lists:flatten(io_lib:format("~P", [[1,2,3,4,5], 5])) end),
    t(18, fun() -> lists:flatten(io_lib:format("~P", [{a,{b,{c,d}}}, 5])) end),
    t(19, fun() -> lists:flatten(io_lib:format("~P", [#{a => [1,2], b => {x}}, 5])) end),
    t(20, fun() -> lists:flatten(io_lib:format("~P", ["abcdef", 5])) end),
    t(21, fun() -> lists:flatten(io_lib:format("~W", [[1,2,3,4,5], 0])) end),
    t(22, fun() -> lists:flatten(io_lib:format("~W", [{a,{b,{c,d}}}, 0])) end),
    t(23, fun() -> lists:flatten(io_lib:format("~W", [#{a => [1,2], b => {x}}, 0])) end),
    t(24, fun() -> lists:flatten(io_lib:format("~W", ["abcdef", 0])) end),
    t(25, fun() -> lists:flatten(io_lib:format("~W", [[1,2,3,4,5], 1])) end),
    t(26, fun() -> lists:flatten(io_lib:format("~W", [{a,{b,{c,d}}}, 1])) end),
    t(27, fun() -> lists:flatten(io_lib:format("~W", [#{a => [1,2], b => {x}}, 1])) end),
    t(28, fun() -> lists:flatten(io_lib:format("~W", ["abcdef", 1])) end),
    t(29, fun() -> lists:flatten(io_lib:format("~W", [[1,2,3,4,5], 2])) end),
    t(30, fun() -> lists:flatten(io_lib:format("~W", [{a,{b,{c,d}}}, 2])) end),
    t(31, fun() -> lists:flatten(io_lib:format("~W", [#{a => [1,2], b => {x}}, 2])) end),
    t(32, fun() -> lists:flatten(io_lib:format("~W", ["abcdef", 2])) end),
    t(33, fun() -> lists:flatten(io_lib:format("~W", [[1,2,3,4,5], 3])) end),
    t(34, fun() -> lists:flatten(io_lib:format("~W", [{a,{b,{c,d}}}, 3])) end),
    t(35, fun() -> lists:flatten(io_lib:format("~W", [#{a => [1,2], b => {x}}, 3])) end),
    t(36, fun() -> lists:flatten(io_lib:format("~W", ["abcdef", 3])) end),
    t(37, fun() -> lists:flatten(io_lib:format("~W", [[1,2,3,4,5], 5])) end),
    t(38, fun() -> lists:flatten(io_lib:format("~W", [{a,{b,{c,d}}}, 5])) end),
    t(39, fun() -> lists:flatten(io_lib:format("~W", [#{a => [1,2], b => {x}}, 5])) end),
    t(40, fun() -> lists:flatten(io_lib:format("~W", ["abcdef", 5])) end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

