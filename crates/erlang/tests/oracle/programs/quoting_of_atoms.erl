-module(quoting_of_atoms).
-export([main/0]).

main() ->
    t(1, fun() -> io_lib:write_atom(a) end),
    t(2, fun() -> io_lib:write_atom('A') end),
    t(3, fun() -> io_lib:write_atom('a b') end),
    t(4, fun() -> io_lib:write_atom('') end),
    t(5, fun() -> io_lib:write_atom('a-b') end),
    t(6, fun() -> io_lib:write_atom(a@b) end),
    t(7, fun() -> io_lib:write_atom('1a') end),
    t(8, fun() -> io_lib:write_atom('case') end),
    t(9, fun() -> io_lib:write_atom('a\nb') end),
    t(10, fun() -> io_lib:write_atom('\'') end),
    t(11, fun() -> io_lib:write_atom('\x{e9}t') end),
    t(12, fun() -> io_lib:write_atom('\x{3b1}') end),
    t(13, fun() -> io_lib:write_atom('_a') end),
    t(14, fun() -> io_lib:write_atom(a_B1) end),
    t(15, fun() -> io_lib:write_atom('div') end),
    t(16, fun() -> io_lib:write_atom('\\') end),
    t(17, fun() -> io_lib:write_atom('a.b') end),
    t(18, fun() -> io_lib:write_atom('\e') end),
    t(19, fun() -> io_lib:write_atom('\0') end),
    t(20, fun() -> lists:flatten(io_lib:format("~w ~p ~s ~tw", ['hello world', 'hello world', 'hello world', 'hello world'])) end),
    t(21, fun() -> lists:flatten(io_lib:format("~w ~p ~s ~tw", ['\x{e9}', '\x{e9}', '\x{e9}', '\x{e9}'])) end),
    t(22, fun() -> lists:flatten(io_lib:format("~w ~p ~s ~tw", ['A', 'A', 'A', 'A'])) end),
    t(23, fun() -> lists:flatten(io_lib:format("~w ~p ~s ~tw", ['it\'s', 'it\'s', 'it\'s', 'it\'s'])) end),
    t(24, fun() -> lists:flatten(io_lib:format("~w", ['\x{3b1}'])) end),
    t(25, fun() -> lists:flatten(io_lib:format("~tw", ['\x{3b1}'])) end),
    t(26, fun() -> lists:flatten(io_lib:format("~ts", ['\x{3b1}'])) end),
    t(27, fun() -> lists:flatten(io_lib:format("~s", ['\x{3b1}'])) end),
    t(28, fun() -> io_lib:write_string("a\"b\\c\n\t\x{1}") end),
    t(29, fun() -> io_lib:write_char($a) end),
    t(30, fun() -> io_lib:write_char($\s) end),
    t(31, fun() -> io_lib:write_char($\n) end),
    t(32, fun() -> io_lib:write_char(200) end),
    t(33, fun() -> io_lib:printable_list("ab\n") end),
    t(34, fun() -> io_lib:printable_list([1]) end),
    t(35, fun() -> io_lib:printable_unicode_list([955]) end),
    t(36, fun() -> io_lib:latin1_char_list([955]) end),
    t(37, fun() -> io_lib:char_list([55296]) end),
    t(38, fun() -> io_lib:deep_char_list(["a", [98]]) end),
    t(39, fun() -> io_lib:print(a) end),
    t(40, fun() -> lists:flatten(io_lib:print({a, [b]}, 1, 10, -1)) end),
    t(41, fun() -> lists:flatten(io_lib:write({a, "b"})) end),
    t(42, fun() -> lists:flatten(io_lib:write(lists:seq(1, 10), 4)) end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

