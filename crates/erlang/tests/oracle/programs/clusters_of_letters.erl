-module(clusters_of_letters).
-export([main/0]).

main() ->
    t(1, fun() -> string:length("abc") end),
    t(2, fun() -> string:length([101, 16#301]) end),
    t(3, fun() -> string:length([16#1F468, 16#200D, 16#1F469]) end),
    t(4, fun() -> string:length([13, 10]) end),
    t(5, fun() -> string:to_graphemes([101, 16#301, $x]) end),
    t(6, fun() -> string:to_graphemes([13, 10, 10]) end),
    t(7, fun() -> string:reverse([101, 16#301, $x]) end),
    t(8, fun() -> string:slice([101, 16#301, $x, $y], 1) end),
    t(9, fun() -> string:slice("abcdef", 2, 3) end),
    t(10, fun() -> string:slice(<<"abc"/utf8>>, 1) end),
    t(11, fun() -> string:slice("abc", 5) end),
    t(12, fun() -> string:next_grapheme([101, 16#301, $x]) end),
    t(13, fun() -> string:next_codepoint([101, 16#301, $x]) end),
    t(14, fun() -> string:next_grapheme("") end),
    t(15, fun() -> string:pad("ab", 5) end),
    t(16, fun() -> string:pad("ab", 5, leading, $*) end),
    t(17, fun() -> string:pad([101, 16#301], 3, both) end),
    t(18, fun() -> string:trim("  a b  ") end),
    t(19, fun() -> string:trim("xxaxx", both, "x") end),
    t(20, fun() -> string:trim("aab", leading, "a") end),
    t(21, fun() -> string:chomp("a\r\n") end),
    t(22, fun() -> string:take("aab", "a") end),
    t(23, fun() -> string:take("baa", "a", false, trailing) end),
    t(24, fun() -> string:take("abc", "c", true) end),
    t(25, fun() -> string:split("a,b,c", ",") end),
    t(26, fun() -> string:split("a,b,c", ",", all) end),
    t(27, fun() -> string:split("a,b,c", ",", trailing) end),
    t(28, fun() -> string:lexemes("a  b c", " ") end),
    t(29, fun() -> string:nth_lexeme("a b c", 2, " ") end),
    t(30, fun() -> string:find("abcabc", "c") end),
    t(31, fun() -> string:find("abcabc", "b", trailing) end),
    t(32, fun() -> string:find("abc", "z") end),
    t(33, fun() -> string:prefix("abc", "ab") end),
    t(34, fun() -> string:prefix("abc", "b") end),
    t(35, fun() -> string:replace("abab", "a", "x") end),
    t(36, fun() -> string:replace("abab", "a", "x", all) end),
    t(37, fun() -> string:equal("a", "A", true) end),
    t(38, fun() -> string:equal("a", "b") end),
    t(39, fun() -> string:is_empty([[], <<>>]) end),
    t(40, fun() -> string:concat("a", "b") end),
    t(41, fun() -> string:to_integer("12ab") end),
    t(42, fun() -> string:to_integer("x") end),
    t(43, fun() -> string:to_float("1.5e2z") end),
    t(44, fun() -> string:to_float("1") end),
    t(45, fun() -> string:jaro_similarity("ab", "ab") end),
    t(46, fun() -> string:uppercase(5) end),
    t(47, fun() -> string:length(5) end),
    t(48, fun() -> string:slice("abc", -1) end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

