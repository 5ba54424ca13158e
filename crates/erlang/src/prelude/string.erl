%% Strings: lists of code points, UTF-8 binaries, and nested lists of both.
%% What comes in as a binary goes out as a binary, what comes in as a list goes out as a flat
%% list; upstream leaves parts of nested input nested.
%% A character is a grapheme cluster. Known here: CR LF, combining marks (U+0300..036F,
%% 1AB0..1AFF, 1DC0..1DFF, 20D0..20FF, FE20..FE2F), variation selectors and what a zero-width
%% joiner joins. Other clusters (Hangul syllables from jamo, flags, emoji modifiers, marks of
%% Indic scripts) count as their code points. Letter case is known for Latin-1, Latin Extended-A,
%% Greek and Cyrillic; other letters are left as they are.
-module(string).

-export([is_empty/1, length/1, to_graphemes/1, reverse/1, equal/2, equal/3, equal/4, slice/2,
         slice/3, pad/2, pad/3, pad/4, trim/1, trim/2, trim/3, chomp/1, take/2, take/3, take/4,
         uppercase/1, lowercase/1, titlecase/1, casefold/1, prefix/2, split/2, split/3,
         replace/3, replace/4, find/2, find/3, lexemes/2, nth_lexeme/3, next_codepoint/1,
         next_grapheme/1, to_float/1, to_integer/1]).
-export([len/1, concat/2, chr/2, rchr/2, str/2, rstr/2, span/2, cspan/2, substr/2, substr/3,
         tokens/2, join/2, chars/2, chars/3, copies/2, words/1, words/2, sub_word/2, sub_word/3,
         strip/1, strip/2, strip/3, left/2, left/3, right/2, right/3, centre/2, centre/3,
         sub_string/2, sub_string/3, to_upper/1, to_lower/1, list_to_float/1, list_to_integer/1]).
-compile({no_auto_import, [length/1, list_to_float/1, list_to_integer/1]}).

-type text() :: unicode:chardata().
-type grapheme() :: char() | [char()].

%%% Clusters: a character is a code point, or a list of them where it has several.

-spec is_empty(text()) -> boolean().
is_empty([]) -> true;
is_empty(<<>>) -> true;
is_empty([X | Rest]) -> is_empty_part(X) andalso is_empty(Rest);
is_empty(<<_, _/binary>>) -> false.

is_empty_part(X) when is_integer(X) -> false;
is_empty_part(X) -> is_empty(X).

-spec length(text()) -> non_neg_integer().
length(Text) -> erlang:length(clusters(Text)).

-spec to_graphemes(text()) -> [grapheme()].
to_graphemes(Text) -> clusters(Text).

clusters(Text) -> cluster(codepoints(Text)).

%% The characters of a text that is searched for some. Where a line feed is looked for and a
%% carriage return is not, the line feed of a CR LF is found too.
clusters(Text, Chars) ->
    case lists:member($\n, Chars) andalso not has_return(Chars) of
        true -> lists:flatmap(fun apart/1, clusters(Text));
        false -> clusters(Text)
    end.

has_return(Chars) -> lists:member($\r, Chars) orelse lists:member([$\r, $\n], Chars).

apart([$\r, $\n]) -> [$\r, $\n];
apart(Cluster) -> [Cluster].

cluster([$\r, $\n | Rest]) -> [[$\r, $\n] | cluster(Rest)];
cluster([A, B | Rest]) when A >= 16#1F1E6, A =< 16#1F1FF, B >= 16#1F1E6, B =< 16#1F1FF ->
    {Marks, Left} = extend(Rest),
    [[A, B | Marks] | cluster(Left)];
cluster([C | Rest]) when C < 16#300 ->
    case Rest of
        [Next | _] when Next >= 16#300 -> cluster_from(C, Rest);
        _ -> [C | cluster(Rest)]
    end;
cluster([C | Rest]) -> cluster_from(C, Rest);
cluster([]) -> [].

cluster_from(C, Rest) when C =:= $\r; C =:= $\n -> [C | cluster(Rest)];
cluster_from(C, Rest) ->
    case extend(Rest) of
        {[], _} -> [C | cluster(Rest)];
        {Marks, Left} -> [[C | Marks] | cluster(Left)]
    end.

%% The code points that belong to the character before them.
extend([16#200D, C | Rest]) when C >= 16#2190 ->
    {Marks, Left} = extend(Rest),
    {[16#200D, C | Marks], Left};
extend([C | Rest] = Text) ->
    case is_mark(C) of
        true ->
            {Marks, Left} = extend(Rest),
            {[C | Marks], Left};
        false -> {[], Text}
    end;
extend([]) -> {[], []}.

%% Two letters for a country make a flag.
is_flag(A, [], B) -> A >= 16#1F1E6 andalso A =< 16#1F1FF andalso B >= 16#1F1E6 andalso B =< 16#1F1FF;
is_flag(_, _, _) -> false.

is_mark(C) when C < 16#300 -> false;
is_mark(C) when C =< 16#36F -> true;
is_mark(C) when C >= 16#1AB0, C =< 16#1AFF -> true;
is_mark(C) when C >= 16#1DC0, C =< 16#1DFF -> true;
is_mark(C) when C >= 16#20D0, C =< 16#20FF -> true;
is_mark(C) when C >= 16#FE00, C =< 16#FE0F -> true;
is_mark(C) when C >= 16#FE20, C =< 16#FE2F -> true;
is_mark(16#200D) -> true;
is_mark(_) -> false.

%% All code points of a text. What is no text is a badarg.
codepoints(Text) when is_list(Text); is_binary(Text) -> codepoints(Text, []);
codepoints(_) -> erlang:error(function_clause).

codepoints([C | Rest], Tail) when is_integer(C), C >= 0 -> [C | codepoints(Rest, Tail)];
codepoints([X | Rest], Tail) when is_list(X); is_binary(X) -> codepoints(X, codepoints(Rest, Tail));
codepoints([], Tail) -> Tail;
codepoints(<<C/utf8, Rest/binary>>, Tail) -> [C | codepoints(Rest, Tail)];
codepoints(<<>>, Tail) -> Tail;
codepoints(<<_, _/binary>> = Wrong, _) -> erlang:error({badarg, Wrong});
codepoints(_, _) -> erlang:error(badarg).

%% Characters back in the form of the text they came from.
like(Text, Clusters) when is_binary(Text) -> << <<C/utf8>> || C <- lists:flatten(Clusters) >>;
like(_, Clusters) -> lists:flatten(Clusters).

-spec next_codepoint(text()) -> [char() | text()] | {error, text()}.
next_codepoint([C | _] = Text) when is_integer(C), C >= 0 -> Text;
next_codepoint([[] | Rest]) -> next_codepoint(Rest);
next_codepoint([<<>> | Rest]) -> next_codepoint(Rest);
next_codepoint([X | Rest]) when is_list(X); is_binary(X) ->
    case next_codepoint(X) of
        [C | Left] when Left =:= []; Left =:= <<>> -> [C | Rest];
        [C | Left] -> [C, Left | Rest];
        [] -> next_codepoint(Rest);
        {error, Wrong} -> {error, [Wrong | Rest]}
    end;
next_codepoint([]) -> [];
next_codepoint(<<C/utf8, Rest/binary>>) -> [C | Rest];
next_codepoint(<<>>) -> [];
next_codepoint(<<_, _/binary>> = Wrong) -> {error, Wrong};
next_codepoint([_ | _]) -> erlang:error(badarg).

-spec next_grapheme(text()) -> [grapheme() | text()] | {error, text()}.
next_grapheme(Text) ->
    case next_codepoint(Text) of
        [C | Rest] -> next_grapheme(C, [], Rest);
        Other -> Other
    end.

next_grapheme(C, Marks, Rest) ->
    case next_codepoint(Rest) of
        [$\n | Left] when C =:= $\r, Marks =:= [] -> [[$\r, $\n] | Left];
        [Next | Left] when C =/= $\r, C =/= $\n ->
            Joined = Marks =/= [] andalso hd(Marks) =:= 16#200D andalso Next >= 16#2190,
            case is_mark(Next) orelse Joined orelse is_flag(C, Marks, Next) of
                true -> next_grapheme(C, [Next | Marks], Left);
                false -> grapheme(C, Marks, Rest)
            end;
        _ -> grapheme(C, Marks, Rest)
    end.

grapheme(C, [], Rest) -> [C | Rest];
grapheme(C, Marks, Rest) -> [[C | lists:reverse(Marks)] | Rest].

%%% Whole strings.

-spec reverse(text()) -> [grapheme()].
reverse(Text) -> lists:reverse(clusters(Text)).

-spec equal(text(), text()) -> boolean().
equal(A, B) -> equal(A, B, false).

-spec equal(text(), text(), boolean()) -> boolean().
equal(A, B, IgnoreCase) -> equal(A, B, IgnoreCase, none).

%% Normal forms need tables that are not here: only `none` is exact for text with combining marks.
-spec equal(text(), text(), boolean(), none | nfc | nfd | nfkc | nfkd) -> boolean().
equal(_, _, _, Form)
  when Form =/= none, Form =/= nfc, Form =/= nfd, Form =/= nfkc, Form =/= nfkd ->
    erlang:error(badarg);
equal(A, B, false, _) -> codepoints(A) =:= codepoints(B);
equal(A, B, true, _) -> fold_case(codepoints(A)) =:= fold_case(codepoints(B)).

-spec slice(text(), non_neg_integer()) -> text().
slice(Text, Start) -> slice(Text, Start, infinity).

-spec slice(text(), non_neg_integer(), infinity | non_neg_integer()) -> text().
slice(Text, Start, Length)
  when is_integer(Start), Start >= 0, Length =:= infinity;
       is_integer(Start), Start >= 0, is_integer(Length), Length >= 0 ->
    like(Text, first(Length, drop(Start, clusters(Text)))).

drop(0, List) -> List;
drop(N, [_ | Rest]) -> drop(N - 1, Rest);
drop(_, []) -> [].

first(infinity, List) -> List;
first(N, List) -> lists:sublist(List, N).

-spec pad(text(), integer()) -> text().
pad(Text, Length) -> pad(Text, Length, trailing).

-spec pad(text(), integer(), leading | both | trailing) -> text().
pad(Text, Length, Side) -> pad(Text, Length, Side, $\s).

-spec pad(text(), integer(), leading | both | trailing, grapheme()) -> text().
pad(Text, Length, Side, Char) when is_integer(Length) ->
    Missing = max(0, Length - length(Text)),
    case Side of
        leading -> [lists:duplicate(Missing, Char), Text];
        trailing -> [Text | lists:duplicate(Missing, Char)];
        both ->
            Before = Missing div 2,
            Half = lists:duplicate(Before, Char),
            [Half, Text, Half | lists:duplicate(Missing - 2 * Before, Char)]
    end.

-spec chomp(text()) -> text().
chomp(Text) -> trim(Text, trailing, [[$\r, $\n], $\n]).

%%% Trimming and taking.

-spec trim(text()) -> text().
trim(Text) -> trim(Text, both).

-spec trim(text(), leading | trailing | both) -> text().
trim(Text, Side) ->
    Space = [[$\r, $\n], $\t, $\n, 16#0B, $\f, $\r, $\s, 16#85, 16#200E, 16#200F, 16#2028, 16#2029],
    trim(Text, Side, Space).

-spec trim(text(), leading | trailing | both, [grapheme()]) -> text().
trim(Text, Side, Chars) when is_list(Chars) ->
    Clusters = clusters(Text, Chars),
    Trim = fun(List) -> lists:dropwhile(fun(C) -> lists:member(C, Chars) end, List) end,
    Trimmed = case Side of
                  leading -> Trim(Clusters);
                  trailing -> lists:reverse(Trim(lists:reverse(Clusters)));
                  both -> lists:reverse(Trim(lists:reverse(Trim(Clusters))))
              end,
    like(Text, Trimmed).

-spec take(text(), [grapheme()]) -> {text(), text()}.
take(Text, Chars) -> take(Text, Chars, false).

-spec take(text(), [grapheme()], boolean()) -> {text(), text()}.
take(Text, Chars, Complement) -> take(Text, Chars, Complement, leading).

-spec take(text(), [grapheme()], boolean(), leading | trailing) -> {text(), text()}.
take(Text, Chars, Complement, Side) when is_list(Chars), is_boolean(Complement) ->
    Wanted = fun(C) -> lists:member(C, Chars) =/= Complement end,
    case Side of
        leading ->
            {Taken, Rest} = lists:splitwith(Wanted, clusters(Text, Chars)),
            {like(Text, Taken), like(Text, Rest)};
        trailing ->
            Clusters = case Complement of
                           true -> clusters(Text);
                           false -> clusters(Text, Chars)
                       end,
            {Taken, Rest} = lists:splitwith(Wanted, lists:reverse(Clusters)),
            {like(Text, lists:reverse(Rest)), like(Text, lists:reverse(Taken))}
    end.

%%% Letter case.

-spec uppercase(text()) -> text().
uppercase(Text) when not is_list(Text), not is_binary(Text) -> erlang:error({badarg, Text});
uppercase(Text) -> like(Text, [upper(C) || C <- codepoints(Text)]).

-spec lowercase(text()) -> text().
lowercase(Text) when not is_list(Text), not is_binary(Text) -> erlang:error({badarg, Text});
lowercase(Text) -> like(Text, [lower(C) || C <- codepoints(Text)]).

-spec casefold(text()) -> text().
casefold(Text) when not is_list(Text), not is_binary(Text) -> erlang:error({badarg, Text});
casefold(Text) -> like(Text, fold_case(codepoints(Text))).

-spec titlecase(text()) -> text().
titlecase(Text) ->
    case codepoints(Text) of
        [C | Rest] -> like(Text, [title(C) | Rest]);
        [] -> like(Text, [])
    end.

fold_case(Codepoints) -> lists:flatten([fold_one(C) || C <- Codepoints]).

fold_one(16#DF) -> "ss";
fold_one(16#B5) -> 16#3BC;
fold_one(16#3C2) -> 16#3C3;
fold_one(16#17F) -> $s;
fold_one(16#149) -> [16#2BC, $n];
fold_one(C) when C > 16#17F -> string:foresee_case(C, fold);
fold_one(C) -> lower(C).

title(16#DF) -> "Ss";
title(C) when C > 16#17F -> string:foresee_case(C, title);
title(C) -> upper(C).

upper(C) when C >= $a, C =< $z -> C - 32;
upper(C) when C < 16#B5 -> C;
upper(16#B5) -> 16#39C;
upper(16#DF) -> "SS";
upper(16#F7) -> 16#F7;
upper(16#FF) -> 16#178;
upper(C) when C >= 16#E0, C =< 16#FE -> C - 32;
upper(16#131) -> $I;
upper(16#149) -> [16#2BC, $N];
upper(16#17F) -> $S;
upper(C) when C >= 16#100, C =< 16#17E -> extended_a(C, upper);
upper(16#3AC) -> 16#386;
upper(C) when C >= 16#3AD, C =< 16#3AF -> C - 37;
upper(16#3C2) -> 16#3A3;
upper(C) when C >= 16#3B1, C =< 16#3CB -> C - 32;
upper(16#3CC) -> 16#38C;
upper(C) when C =:= 16#3CD; C =:= 16#3CE -> C - 63;
upper(C) when C >= 16#430, C =< 16#44F -> C - 32;
upper(C) when C >= 16#450, C =< 16#45F -> C - 80;
upper(C) when C >= 16#460, C =< 16#481, C rem 2 =:= 1 -> C - 1;
upper(C) -> string:foresee_case(C, upper).

lower(C) when C >= $A, C =< $Z -> C + 32;
lower(C) when C < 16#C0 -> C;
lower(16#D7) -> 16#D7;
lower(C) when C =< 16#DE -> C + 32;
lower(16#130) -> [$i, 16#307];
lower(16#178) -> 16#FF;
lower(C) when C >= 16#100, C =< 16#17E -> extended_a(C, lower);
lower(16#386) -> 16#3AC;
lower(C) when C >= 16#388, C =< 16#38A -> C + 37;
lower(16#38C) -> 16#3CC;
lower(C) when C =:= 16#38E; C =:= 16#38F -> C + 63;
lower(C) when C >= 16#391, C =< 16#3AB, C =/= 16#3A2 -> C + 32;
lower(C) when C >= 16#400, C =< 16#40F -> C + 80;
lower(C) when C >= 16#410, C =< 16#42F -> C + 32;
lower(C) when C >= 16#460, C =< 16#481, C rem 2 =:= 0 -> C + 1;
lower(C) -> string:foresee_case(C, lower).

%% Pairs of an even capital and the odd letter after it, except in two stretches where it is the
%% other way round.
extended_a(C, _) when C =:= 16#138; C =:= 16#149 -> C;
extended_a(C, Case) when C >= 16#139, C =< 16#148; C >= 16#179, C =< 16#17E -> in_pair(C, 1, Case);
extended_a(C, Case) -> in_pair(C, 0, Case).

in_pair(C, Capital, lower) when C rem 2 =:= Capital -> C + 1;
in_pair(C, Capital, upper) when C rem 2 =/= Capital -> C - 1;
in_pair(C, _, _) -> C.

%%% Searching.

-spec prefix(text(), text()) -> nomatch | text().
prefix(Text, Prefix) ->
    case after_prefix(clusters(Text), clusters(Prefix)) of
        nomatch -> nomatch;
        Rest -> like(Text, Rest)
    end.

after_prefix([C | Text], [C | Prefix]) -> after_prefix(Text, Prefix);
after_prefix(Text, []) -> Text;
after_prefix(_, _) -> nomatch.

-spec find(text(), text()) -> nomatch | text().
find(Text, Pattern) -> find(Text, Pattern, leading).

-spec find(text(), text(), leading | trailing) -> nomatch | text().
find(Text, Pattern, Side) ->
    Searched = searched(Text, Pattern),
    case {clusters(Pattern), Side} of
        {[], _} -> Text;
        {Wanted, leading} -> found(Text, first_match(Searched, Wanted, []));
        {Wanted, trailing} -> found(Text, last_match(Searched, Wanted))
    end.

searched(Text, Pattern) -> clusters(Text, lists:sublist(clusters(Pattern), 1)).

found(_, nomatch) -> nomatch;
found(Text, {_, Found, _}) -> like(Text, Found).

%% {Before, From the match on, After the match}.
first_match([C | Rest] = Text, Pattern, Before) ->
    case after_prefix(Text, Pattern) of
        nomatch -> first_match(Rest, Pattern, [C | Before]);
        After -> {lists:reverse(Before), Text, After}
    end;
first_match([], _, _) -> nomatch.

last_match(Text, Pattern) -> last_match(Text, Pattern, [], nomatch).

last_match([C | Rest] = Text, Pattern, Before, Best) ->
    case after_prefix(Text, Pattern) of
        nomatch -> last_match(Rest, Pattern, [C | Before], Best);
        After -> last_match(Rest, Pattern, [C | Before], {lists:reverse(Before), Text, After})
    end;
last_match([], _, _, Best) -> Best.

-spec split(text(), text()) -> [text()].
split(Text, Pattern) -> split(Text, Pattern, leading).

-spec split(text(), text(), leading | trailing | all) -> [text()].
split(Text, Pattern, Where) ->
    case is_empty(Pattern) of
        true -> [Text];
        false ->
            Parts = split_clusters(searched(Text, Pattern), clusters(Pattern), Where),
            [like(Text, Part) || Part <- Parts]
    end.

split_clusters(Text, Pattern, all) ->
    case first_match(Text, Pattern, []) of
        nomatch -> [Text];
        {Before, _, After} -> [Before | split_clusters(After, Pattern, all)]
    end;
split_clusters(Text, Pattern, leading) -> split_once(Text, first_match(Text, Pattern, []));
split_clusters(Text, Pattern, trailing) -> split_once(Text, last_match(Text, Pattern)).

split_once(Text, nomatch) -> [Text];
split_once(_, {Before, _, After}) -> [Before, After].

-spec replace(text(), text(), text()) -> [text()].
replace(Text, Pattern, New) -> lists:join(New, split(Text, Pattern)).

-spec replace(text(), text(), text(), leading | trailing | all) -> [text()].
replace(Text, Pattern, New, Where) -> lists:join(New, split(Text, Pattern, Where)).

-spec lexemes(text(), [grapheme()]) -> [text()].
lexemes(Text, Separators) when is_list(Separators) ->
    [like(Text, Lexeme) || Lexeme <- lexemes_of(clusters(Text, Separators), Separators)].

lexemes_of(Clusters, Separators) ->
    case lists:dropwhile(fun(C) -> lists:member(C, Separators) end, Clusters) of
        [] -> [];
        Rest ->
            {Lexeme, After} = lists:splitwith(fun(C) -> not lists:member(C, Separators) end, Rest),
            [Lexeme | lexemes_of(After, Separators)]
    end.

-spec nth_lexeme(text(), non_neg_integer(), [grapheme()]) -> text().
nth_lexeme(Text, N, Separators) when is_integer(N), N > 0 ->
    Lexemes = lexemes(Text, Separators),
    case N =< erlang:length(Lexemes) of
        true -> lists:nth(N, Lexemes);
        false -> like(Text, [])
    end.

%%% Numbers at the start of a string.

-spec to_integer(text()) -> {integer(), text()} | {error, no_integer | badarg}.
to_integer(Text) -> number(Text, fun integer_prefix/1, fun erlang:list_to_integer/1, no_integer).

-spec to_float(text()) -> {float(), text()} | {error, no_float | badarg}.
to_float(Text) -> number(Text, fun float_prefix/1, fun erlang:list_to_float/1, no_float).

number(Text, Prefix, Convert, None) ->
    try codepoints(Text) of
        Codepoints ->
            case Prefix(Codepoints) of
                {[], _} -> {error, None};
                {Digits, Rest} -> {Convert(Digits), like(Text, Rest)}
            end
    catch
        error:_ -> {error, badarg}
    end.

integer_prefix([Sign | Rest]) when Sign =:= $+; Sign =:= $- ->
    case digits(Rest) of
        {[], _} -> {[], Rest};
        {Digits, Left} -> {[Sign | Digits], Left}
    end;
integer_prefix(Text) -> digits(Text).

digits(Text) -> lists:splitwith(fun(C) -> C >= $0 andalso C =< $9 end, Text).

%% Digits, a point or comma, digits, and an exponent if it is whole.
float_prefix(Text) ->
    case integer_prefix(Text) of
        {[_ | _] = Whole, [Point | Rest]} when Point =:= $.; Point =:= $, ->
            case digits(Rest) of
                {[], _} -> {[], Text};
                {Fraction, Left} -> exponent(Whole ++ "." ++ Fraction, Left)
            end;
        _ -> {[], Text}
    end.

exponent(Mantissa, [E | Rest] = Text) when E =:= $e; E =:= $E ->
    case integer_prefix(Rest) of
        {[], _} -> {Mantissa, Text};
        {Exponent, Left} -> {Mantissa ++ "e" ++ Exponent, Left}
    end;
exponent(Mantissa, Text) -> {Mantissa, Text}.

%%% The old interface: lists of characters, positions from 1, no clusters.

list_to_float(String) when is_list(String) -> to_float(String);
list_to_float(_) -> {error, not_a_list}.

list_to_integer(String) when is_list(String) -> to_integer(String);
list_to_integer(_) -> {error, not_a_list}.

-spec len(string()) -> non_neg_integer().
len(String) -> erlang:length(String).

-spec concat(string(), string()) -> string().
concat(A, B) -> A ++ B.

-spec chr(string(), char()) -> non_neg_integer().
chr(String, Char) when is_integer(Char) -> chr(String, Char, 1).

chr([Char | _], Char, I) -> I;
chr([_ | Rest], Char, I) -> chr(Rest, Char, I + 1);
chr([], _, _) -> 0.

-spec rchr(string(), char()) -> non_neg_integer().
rchr(String, Char) when is_integer(Char) -> rchr(String, Char, 1, 0).

rchr([Char | Rest], Char, I, _) -> rchr(Rest, Char, I + 1, I);
rchr([_ | Rest], Char, I, Last) -> rchr(Rest, Char, I + 1, Last);
rchr([], _, _, Last) -> Last.

-spec str(string(), string()) -> non_neg_integer().
str(String, []) when is_list(String) -> 0;
str(String, Part) when is_list(Part) -> str(String, Part, 1).

str([_ | Rest] = String, Part, I) ->
    case lists:prefix(Part, String) of
        true -> I;
        false -> str(Rest, Part, I + 1)
    end;
str([], _, _) -> 0.

-spec rstr(string(), string()) -> non_neg_integer().
rstr(String, []) when is_list(String) -> 0;
rstr(String, Part) when is_list(Part) -> rstr(String, Part, 1, 0).

rstr([_ | Rest] = String, Part, I, Last) ->
    case lists:prefix(Part, String) of
        true -> rstr(Rest, Part, I + 1, I);
        false -> rstr(Rest, Part, I + 1, Last)
    end;
rstr([], _, _, Last) -> Last.

-spec span(string(), string()) -> non_neg_integer().
span(String, Chars) when is_list(Chars) ->
    erlang:length(lists:takewhile(fun(C) -> lists:member(C, Chars) end, String)).

-spec cspan(string(), string()) -> non_neg_integer().
cspan(String, Chars) when is_list(Chars) ->
    erlang:length(lists:takewhile(fun(C) -> not lists:member(C, Chars) end, String)).

-spec substr(string(), pos_integer()) -> string().
substr(String, 1) when is_list(String) -> String;
substr(String, Start) when is_integer(Start), Start > 1 -> lists:nthtail(Start - 1, String).

-spec substr(string(), pos_integer(), non_neg_integer()) -> string().
substr(String, Start, Length) when is_integer(Start), Start >= 1, is_integer(Length), Length >= 0 ->
    lists:sublist(lists:nthtail(Start - 1, String), Length).

-spec tokens(string(), string()) -> [string()].
tokens(String, Separators) when is_list(Separators) -> lexemes_of(String, Separators).

-spec join([string()], string()) -> string().
join([], Separator) when is_list(Separator) -> [];
join([First | Rest], Separator) -> First ++ lists:append([Separator ++ String || String <- Rest]).

-spec chars(char(), non_neg_integer()) -> string().
chars(Char, N) -> chars(Char, N, []).

-spec chars(char(), non_neg_integer(), string()) -> string().
chars(Char, N, Tail) when is_integer(Char), is_integer(N), N >= 0 ->
    lists:duplicate(N, Char) ++ Tail.

-spec copies(string(), non_neg_integer()) -> string().
copies(String, N) when is_list(String), is_integer(N), N >= 0 ->
    lists:append(lists:duplicate(N, String)).

-spec words(string()) -> pos_integer().
words(String) -> words(String, $\s).

%% Even an empty string counts as one word.
-spec words(string(), char()) -> pos_integer().
words(String, Char) when is_integer(Char) -> max(1, erlang:length(lexemes_of(String, [Char]))).

-spec sub_word(string(), integer()) -> string().
sub_word(String, N) -> sub_word(String, N, $\s).

-spec sub_word(string(), integer(), char()) -> string().
sub_word(String, N, Char) when is_integer(N), N >= 1, is_integer(Char) ->
    case lexemes_of(String, [Char]) of
        Words when N =< erlang:length(Words) -> lists:nth(N, Words);
        _ -> []
    end.

-spec strip(string()) -> string().
strip(String) -> strip(String, both).

-spec strip(string(), left | right | both) -> string().
strip(String, Side) -> strip(String, Side, $\s).

-spec strip(string(), left | right | both, char()) -> string().
strip(String, left, Char) -> strip_left(String, Char);
strip(String, right, Char) -> strip_right(String, Char);
strip(String, both, Char) -> strip_right(strip_left(String, Char), Char).

strip_left([Char | Rest], Char) -> strip_left(Rest, Char);
strip_left([_ | _] = String, Char) when is_integer(Char) -> String;
strip_left([], Char) when is_integer(Char) -> [].

strip_right([C | Rest], Char) when is_integer(Char) ->
    case strip_right(Rest, Char) of
        [] when C =:= Char -> [];
        Kept -> [C | Kept]
    end;
strip_right([], Char) when is_integer(Char) -> [].

-spec left(string(), non_neg_integer()) -> string().
left(String, Length) when is_integer(Length) -> left(String, Length, $\s).

-spec left(string(), non_neg_integer(), char()) -> string().
left(String, Length, Char) when is_integer(Char) ->
    case erlang:length(String) of
        Long when Long > Length -> substr(String, 1, Length);
        Short -> String ++ lists:duplicate(Length - Short, Char)
    end.

-spec right(string(), non_neg_integer()) -> string().
right(String, Length) when is_integer(Length) -> right(String, Length, $\s).

-spec right(string(), non_neg_integer(), char()) -> string().
right(String, Length, Char) when is_integer(Char) ->
    case erlang:length(String) of
        Long when Long > Length -> lists:nthtail(Long - Length, String);
        Short -> lists:duplicate(Length - Short, Char) ++ String
    end.

-spec centre(string(), non_neg_integer()) -> string().
centre(String, Length) when is_integer(Length) -> centre(String, Length, $\s).

-spec centre(string(), non_neg_integer(), char()) -> string().
centre(String, 0, Char) when is_list(String), is_integer(Char) -> [];
centre(String, Length, Char) when is_integer(Char) ->
    case erlang:length(String) of
        Long when Long > Length -> substr(String, (Long - Length) div 2 + 1, Length);
        Short ->
            Before = (Length - Short) div 2,
            After = Length - Short - Before,
            lists:duplicate(Before, Char) ++ String ++ lists:duplicate(After, Char)
    end.

-spec sub_string(string(), pos_integer()) -> string().
sub_string(String, Start) -> substr(String, Start).

-spec sub_string(string(), pos_integer(), pos_integer()) -> string().
sub_string(String, Start, Stop) when is_integer(Start), is_integer(Stop) ->
    substr(String, Start, Stop - Start + 1).

%% Latin-1 only, and one character at a time too.
-spec to_upper(string() | char()) -> string() | char().
to_upper(String) when is_list(String) -> [upper_latin1(C) || C <- String];
to_upper(Char) when is_integer(Char) -> upper_latin1(Char).

-spec to_lower(string() | char()) -> string() | char().
to_lower(String) when is_list(String) -> [lower_latin1(C) || C <- String];
to_lower(Char) when is_integer(Char) -> lower_latin1(Char).

upper_latin1(C) when C >= $a, C =< $z; C >= 16#E0, C =< 16#FE, C =/= 16#F7 -> C - 32;
upper_latin1(C) -> C.

lower_latin1(C) when C >= $A, C =< $Z; C >= 16#C0, C =< 16#DE, C =/= 16#D7 -> C + 32;
lower_latin1(C) -> C.
