%% Addresses as text. Sockets are not here: there is no network.
-module(inet).
-export([ntoa/1, parse_address/1, parse_strict_address/1, parse_ipv4_address/1, parse_ipv4strict_address/1,
         parse_ipv6_address/1, parse_ipv6strict_address/1, is_ipv4_address/1, is_ipv6_address/1, is_ip_address/1,
         gethostname/0, ipv4_mapped_ipv6_address/1]).

gethostname() -> {ok, "nohost"}.

is_ipv4_address({A, B, C, D}) -> lists:all(fun is_byte/1, [A, B, C, D]);
is_ipv4_address(_) -> false.
is_ipv6_address({A, B, C, D, E, F, G, H}) -> lists:all(fun is_word/1, [A, B, C, D, E, F, G, H]);
is_ipv6_address(_) -> false.
is_ip_address(Address) -> is_ipv4_address(Address) orelse is_ipv6_address(Address).

is_byte(N) -> is_integer(N) andalso N >= 0 andalso N < 256.
is_word(N) -> is_integer(N) andalso N >= 0 andalso N < 65536.

ipv4_mapped_ipv6_address({A, B, C, D}) -> {0, 0, 0, 0, 0, 16#ffff, (A bsl 8) bor B, (C bsl 8) bor D};
ipv4_mapped_ipv6_address({0, 0, 0, 0, 0, 16#ffff, X, Y}) -> {X bsr 8, X band 255, Y bsr 8, Y band 255}.

ntoa(Address) ->
    case {is_ipv4_address(Address), is_ipv6_address(Address)} of
        {true, _} -> dotted(Address);
        {_, true} -> colons(tuple_to_list(Address));
        _ -> {error, einval}
    end.

dotted(Address) -> lists:append(lists:join(".", [integer_to_list(N) || N <- tuple_to_list(Address)])).

colons([0, 0, 0, 0, 0, 16#ffff, X, Y]) -> "::ffff:" ++ dotted({X bsr 8, X band 255, Y bsr 8, Y band 255});
colons([0, 0, 0, 0, 0, 0, X, Y]) when X =/= 0; Y > 1 -> "::" ++ dotted({X bsr 8, X band 255, Y bsr 8, Y band 255});
colons(Words) ->
    case longest_zeros(Words) of
        {_, Length} when Length < 2 -> joined(Words);
        {At, Length} ->
            {Before, Rest} = lists:split(At, Words),
            joined(Before) ++ "::" ++ joined(lists:nthtail(Length, Rest))
    end.

joined(Words) -> lists:append(lists:join(":", [string:lowercase(integer_to_list(N, 16)) || N <- Words])).

longest_zeros(Words) -> longest_zeros(Words, 0, {0, 0}).
longest_zeros([], _, Best) -> Best;
longest_zeros([0 | _] = Words, At, {_, Length} = Best) ->
    {Zeros, Rest} = lists:splitwith(fun(N) -> N =:= 0 end, Words),
    N = length(Zeros),
    longest_zeros(Rest, At + N, case N > Length of true -> {At, N}; false -> Best end);
longest_zeros([_ | Rest], At, Best) -> longest_zeros(Rest, At + 1, Best).

parse_address(Text) -> either(parse_ipv4_address(Text), fun() -> parse_ipv6_address(Text) end).
parse_strict_address(Text) -> either(parse_ipv4strict_address(Text), fun() -> parse_ipv6strict_address(Text) end).

either({ok, _} = Found, _) -> Found;
either(_, Other) -> Other().

%% One to four numbers; the last one fills what is left.
parse_ipv4_address(Text) ->
    try numbers(Text) of
        [D] when D < 1 bsl 32 -> {ok, {D bsr 24, D bsr 16 band 255, D bsr 8 band 255, D band 255}};
        [A, D] when A < 256, D < 1 bsl 24 -> {ok, {A, D bsr 16, D bsr 8 band 255, D band 255}};
        [A, B, D] when A < 256, B < 256, D < 1 bsl 16 -> {ok, {A, B, D bsr 8, D band 255}};
        [A, B, C, D] when A < 256, B < 256, C < 256, D < 256 -> {ok, {A, B, C, D}};
        _ -> {error, einval}
    catch error:_ -> {error, einval}
    end.

parse_ipv4strict_address(Text) ->
    Octal = [Part || [$0, _ | _] = Part <- string:split(Text, ".", all)],
    try {length(numbers(Text)), parse_ipv4_address(Text), Octal} of
        {4, Parsed, []} -> Parsed;
        _ -> {error, einval}
    catch error:_ -> {error, einval}
    end.

numbers(Text) -> [number(Part) || Part <- string:split(Text, ".", all)].

number([$0, X, D | Rest]) when X =:= $x; X =:= $X -> list_to_integer(digits([D | Rest]), 16);
number([$0, D | Rest]) -> list_to_integer(digits([D | Rest]), 8);
number([_ | _] = Digits) -> list_to_integer(digits(Digits)).

digits([C | _]) when C =:= $+; C =:= $- -> error(badarg);
digits(Digits) -> Digits.

parse_ipv6_address(Text) ->
    case parse_ipv6strict_address(Text) of
        {ok, _} = Found -> Found;
        _ ->
            case parse_ipv4_address(Text) of
                {ok, Address} -> {ok, ipv4_mapped_ipv6_address(Address)};
                Error -> Error
            end
    end.

parse_ipv6strict_address(Text) ->
    try
        [Plain | _] = string:split(Text, "%"),
        case string:split(Plain, "::", all) of
            [Whole] -> eight(words(Whole));
            [Before, After] ->
                {First, Last} = {words(Before), words(After)},
                N = 8 - length(First) - length(Last),
                true = N >= 1,
                eight(First ++ lists:duplicate(N, 0) ++ Last);
            _ -> {error, einval}
        end
    catch error:_ -> {error, einval}
    end.

eight(Words) when length(Words) =:= 8 -> {ok, list_to_tuple(Words)};
eight(_) -> {error, einval}.

words("") -> [];
words(Text) ->
    Parts = string:split(Text, ":", all),
    lists:append([word(Part) || Part <- lists:droplast(Parts)] ++ [last_word(lists:last(Parts))]).

word(Part) when length(Part) >= 1, length(Part) =< 4 -> [list_to_integer(digits(Part), 16)].
last_word(Part) ->
    case lists:member($., Part) of
        true ->
            {ok, {A, B, C, D}} = parse_ipv4strict_address(Part),
            [(A bsl 8) bor B, (C bsl 8) bor D];
        false -> word(Part)
    end.
