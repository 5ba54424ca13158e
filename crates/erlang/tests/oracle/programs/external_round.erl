-module(external_round).
-export([main/0]).

main() ->
    t(1, fun() -> binary_to_term(term_to_binary(1 bsl 100)) =:= 1 bsl 100 end),
    t(2, fun() -> binary_to_term(term_to_binary(-(1 bsl 100))) =:= -(1 bsl 100) end),
    t(3, fun() -> binary_to_term(term_to_binary([a|b])) =:= [a|b] end),
    t(4, fun() -> binary_to_term(term_to_binary([[]])) =:= [[]] end),
    t(5, fun() -> binary_to_term(term_to_binary({{},{}})) =:= {{},{}} end),
    t(6, fun() -> binary_to_term(term_to_binary(#{1 => #{2 => 3}})) =:= #{1 => #{2 => 3}} end),
    t(7, fun() -> binary_to_term(term_to_binary(<<5:7>>)) =:= <<5:7>> end),
    t(8, fun() -> binary_to_term(term_to_binary("\x{3b1}")) =:= "\x{3b1}" end),
    t(9, fun() -> binary_to_term(term_to_binary([256])) =:= [256] end),
    t(10, fun() -> binary_to_term(term_to_binary('a b')) =:= 'a b' end),
    t(11, fun() -> binary_to_term(term_to_binary(1.0e-300)) =:= 1.0e-300 end),
    t(12, fun() -> binary_to_term(term_to_binary({[],<<>>,#{}})) =:= {[],<<>>,#{}} end),
    t(13, fun() -> binary_to_term(term_to_binary([1|<<2>>])) =:= [1|<<2>>] end),
    t(14, fun() -> binary_to_term(term_to_binary(fun lists:map/2)) =:= fun lists:map/2 end),
    t(15, fun() -> binary_to_term(<<>>) end),
    t(16, fun() -> binary_to_term(<<131>>) end),
    t(17, fun() -> binary_to_term(<<130,97,1>>) end),
    t(18, fun() -> binary_to_term(<<131,97>>) end),
    t(19, fun() -> binary_to_term(<<131,97,1,2>>) end),
    t(20, fun() -> binary_to_term(<<131,97,1,2>>, [used]) end),
    t(21, fun() -> binary_to_term(<<131,100,0,1,97>>) end),
    t(22, fun() -> binary_to_term(<<131,119,1,97>>) end),
    t(23, fun() -> binary_to_term(abc) end),
    t(24, fun() -> binary_to_term(<<131,107,0,2,1,2>>) end),
    t(25, fun() -> binary_to_term(<<131,108,0,0,0,1,97,1,97,2>>) end),
    t(26, fun() -> binary_to_term(<<131,110,1,1,5>>) end),
    t(27, fun() -> binary_to_term(<<131,77,0,0,0,1,3,160>>) end),
    t(28, fun() -> binary_to_term(<<131,70,63,240,0,0,0,0,0,0>>) end),
    t(29, fun() -> binary_to_term(<<131,116,0,0,0,1,97,1,97,2>>) end),
    t(30, fun() -> binary_to_term(<<131,104,0>>) end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

