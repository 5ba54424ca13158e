-module(unicode_conversions).
-export([main/0]).

main() ->
    t(1, fun() -> unicode:characters_to_binary("a\x{3b1}") end),
    t(2, fun() -> unicode:characters_to_binary([955], utf8, latin1) end),
    t(3, fun() -> unicode:characters_to_binary([233], utf8, latin1) end),
    t(4, fun() -> unicode:characters_to_list(<<206,187>>) end),
    t(5, fun() -> unicode:characters_to_list(<<206>>) end),
    t(6, fun() -> unicode:characters_to_list(<<255, 97>>) end),
    t(7, fun() -> unicode:characters_to_list([<<206>>, <<187>>]) end),
    t(8, fun() -> unicode:characters_to_list(<<233>>, latin1) end),
    t(9, fun() -> unicode:characters_to_binary([1114112]) end),
    t(10, fun() -> unicode:characters_to_binary([a]) end),
    t(11, fun() -> unicode:characters_to_binary([55296]) end),
    t(12, fun() -> unicode:characters_to_binary("ab", latin1, utf16) end),
    t(13, fun() -> unicode:characters_to_binary("ab", latin1, {utf16, little}) end),
    t(14, fun() -> unicode:characters_to_binary("ab", latin1, {utf32, big}) end),
    t(15, fun() -> unicode:characters_to_nfc_list([101, 16#301]) end),
    t(16, fun() -> unicode:characters_to_nfd_list([16#e9]) end),
    t(17, fun() -> unicode:characters_to_nfkc_list([16#FB01]) end),
    t(18, fun() -> unicode:characters_to_nfc_binary([101, 16#301]) end),
    t(19, fun() -> unicode:bom_to_encoding(<<239,187,191>>) end),
    t(20, fun() -> unicode:bom_to_encoding(<<254,255>>) end),
    t(21, fun() -> unicode:bom_to_encoding(<<"x">>) end),
    t(22, fun() -> unicode:encoding_to_bom(utf8) end),
    t(23, fun() -> unicode:characters_to_list([[97], 98 | <<99>>]) end),
    t(24, fun() -> unicode:characters_to_binary(<<97, 0:4>>) end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

