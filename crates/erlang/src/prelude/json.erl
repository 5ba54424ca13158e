%% JSON as in OTP 27: encoding to iodata, decoding of a whole text or of its beginning.
%% Not here: decoding piece by piece, and layout with line breaks; both stop a run that comes to them.
-module(json).
-export([encode/1, encode/2, encode_value/2, encode_atom/2, encode_integer/1, encode_float/1, encode_list/2, encode_map/2,
         encode_map_checked/2, encode_key_value_list/2, encode_key_value_list_checked/2, encode_binary/1,
         encode_binary_escape_all/1, decode/1, decode/3, decode_start/3, decode_continue/2, format/1, format/2, format/3,
         format_value/3, format_key_value_list/3, format_key_value_list_checked/3]).

%%% Encoding.

encode(Term) -> encode(Term, fun json:encode_value/2).
encode(Term, Encoder) when is_function(Encoder, 2) -> Encoder(Term, Encoder).

encode_value(Value, Encoder) when is_atom(Value) -> encode_atom(Value, Encoder);
encode_value(Value, _) when is_binary(Value) -> encode_binary(Value);
encode_value(Value, _) when is_integer(Value) -> encode_integer(Value);
encode_value(Value, _) when is_float(Value) -> encode_float(Value);
encode_value(Value, Encoder) when is_list(Value) -> encode_list(Value, Encoder);
encode_value(Value, Encoder) when is_map(Value) -> encode_map(Value, Encoder);
encode_value(Value, _) -> error({unsupported_type, Value}).

encode_atom(null, _) -> <<"null">>;
encode_atom(true, _) -> <<"true">>;
encode_atom(false, _) -> <<"false">>;
encode_atom(Other, Encoder) -> Encoder(atom_to_binary(Other, utf8), Encoder).

encode_integer(Integer) -> integer_to_binary(Integer).
encode_float(Float) -> float_to_binary(Float, [short]).

encode_list(List, Encoder) when is_list(List) -> [$[, lists:join($,, [Encoder(Value, Encoder) || Value <- List]), $]].

encode_map(Map, Encoder) when is_map(Map) -> encode_key_value_list(maps:to_list(Map), Encoder).
encode_map_checked(Map, Encoder) -> encode_key_value_list_checked(maps:to_list(Map), Encoder).

encode_key_value_list(List, Encoder) when is_list(List) ->
    object([[key(Key, Encoder), $: | Encoder(Value, Encoder)] || {Key, Value} <- List]).

encode_key_value_list_checked(List, Encoder) ->
    {Members, _} = lists:mapfoldl(
                       fun({Key, Value}, Seen) ->
                           Written = iolist_to_binary(key(Key, Encoder)),
                           maps:is_key(Written, Seen) andalso error({duplicate_key, Key}),
                           {[Written, $: | Encoder(Value, Encoder)], Seen#{Written => true}}
                       end, #{}, List),
    object(Members).

object(Members) -> [${, lists:join($,, Members), $}].

key(Key, Encoder) when is_binary(Key) -> Encoder(Key, Encoder);
key(Key, Encoder) when is_atom(Key) -> Encoder(atom_to_binary(Key, utf8), Encoder);
key(Key, _) when is_integer(Key) -> [$", encode_integer(Key), $"];
key(Key, _) when is_float(Key) -> [$", encode_float(Key), $"].

encode_binary(Binary) -> [$", escaped(Binary, false, <<>>), $"].
encode_binary_escape_all(Binary) -> [$", escaped(Binary, true, <<>>), $"].

escaped(<<>>, _, Done) -> Done;
escaped(<<$", Rest/binary>>, All, Done) -> escaped(Rest, All, <<Done/binary, "\\\"">>);
escaped(<<$\\, Rest/binary>>, All, Done) -> escaped(Rest, All, <<Done/binary, "\\\\">>);
escaped(<<$\b, Rest/binary>>, All, Done) -> escaped(Rest, All, <<Done/binary, "\\b">>);
escaped(<<$\f, Rest/binary>>, All, Done) -> escaped(Rest, All, <<Done/binary, "\\f">>);
escaped(<<$\n, Rest/binary>>, All, Done) -> escaped(Rest, All, <<Done/binary, "\\n">>);
escaped(<<$\r, Rest/binary>>, All, Done) -> escaped(Rest, All, <<Done/binary, "\\r">>);
escaped(<<$\t, Rest/binary>>, All, Done) -> escaped(Rest, All, <<Done/binary, "\\t">>);
escaped(<<Char/utf8, Rest/binary>>, All, Done) when Char < 16#20; All, Char > 16#7E ->
    escaped(Rest, All, <<Done/binary, (by_number(Char))/binary>>);
escaped(<<Char/utf8, Rest/binary>>, All, Done) -> escaped(Rest, All, <<Done/binary, Char/utf8>>);
escaped(<<Byte, Rest/binary>>, _, _) -> not_utf8(Byte, Rest).

by_number(Char) when Char > 16#FFFF ->
    Above = Char - 16#10000,
    <<(by_number(16#D800 + (Above bsr 10)))/binary, (by_number(16#DC00 + (Above band 16#3FF)))/binary>>;
by_number(Char) -> iolist_to_binary(io_lib:format("\\u~4.16.0B", [Char])).

%% A character that is cut off at the end could still come.
not_utf8(Byte, Rest) ->
    case unicode:characters_to_list(<<Byte, Rest/binary>>) of
        {incomplete, _, _} -> error(unexpected_end);
        _ -> error({invalid_byte, Byte})
    end.

%%% Decoding.

decode(Binary) when is_binary(Binary) ->
    {Value, _, Rest} = decode(Binary, ok, #{}),
    case blanks(Rest) of
        <<>> -> Value;
        <<Byte, _/binary>> -> error({invalid_byte, Byte})
    end.

decode(Binary, Acc, Decoders) when is_binary(Binary) -> value(blanks(Binary), Acc, Decoders).

value(<<"null", Rest/binary>>, Acc, Decoders) -> {maps:get(null, Decoders, null), Acc, Rest};
value(<<"true", Rest/binary>>, Acc, _) -> {true, Acc, Rest};
value(<<"false", Rest/binary>>, Acc, _) -> {false, Acc, Rest};
value(<<$", Rest/binary>>, Acc, Decoders) ->
    {String, After} = string(Rest, <<>>),
    {leaf(string, String, Decoders), Acc, After};
value(<<$[, Rest/binary>>, Acc, Decoders) ->
    Start = maps:get(array_start, Decoders, fun(_) -> [] end),
    case blanks(Rest) of
        <<$], After/binary>> -> finish(array_finish, Start(Acc), Acc, After, Decoders);
        Items -> array(Items, Start(Acc), Acc, Decoders)
    end;
value(<<${, Rest/binary>>, Acc, Decoders) ->
    Start = maps:get(object_start, Decoders, fun(_) -> [] end),
    case blanks(Rest) of
        <<$}, After/binary>> -> finish(object_finish, Start(Acc), Acc, After, Decoders);
        Members -> object(Members, Start(Acc), Acc, Decoders)
    end;
value(<<Char, _/binary>> = Text, Acc, Decoders) when Char =:= $-; Char >= $0, Char =< $9 ->
    {Kind, Digits, Rest} = number(Text),
    {leaf(Kind, Digits, Decoders), Acc, Rest};
value(Text, _, _) -> unexpected(Text, [<<"null">>, <<"true">>, <<"false">>]).

leaf(Kind, Text, Decoders) ->
    case Decoders of
        #{Kind := Decode} -> Decode(Text);
        #{} when Kind =:= string -> Text;
        #{} when Kind =:= integer -> binary_to_integer(Text);
        #{} -> to_float(Text)
    end.

%% `1e5` is a float, too, which Erlang writes with a point.
to_float(Text) ->
    try binary_to_float(case binary:match(Text, <<".">>) of
                            nomatch -> binary:replace(binary:replace(Text, <<"E">>, <<"e">>), <<"e">>, <<".0e">>);
                            _ -> Text
                        end)
    catch error:badarg -> error({unexpected_sequence, Text})
    end.

array(Text, Sofar, Outer, Decoders) ->
    {Value, Next, Rest} = value(blanks(Text), Sofar, Decoders),
    Push = maps:get(array_push, Decoders, fun(Item, List) -> [Item | List] end),
    Pushed = Push(Value, Next),
    case blanks(Rest) of
        <<$,, More/binary>> -> array(More, Pushed, Outer, Decoders);
        <<$], After/binary>> -> finish(array_finish, Pushed, Outer, After, Decoders);
        Other -> unexpected(Other, [])
    end.

object(Text, Sofar, Outer, Decoders) ->
    case blanks(Text) of
        <<$", InKey/binary>> ->
            {Written, AfterKey} = string(InKey, <<>>),
            Key = leaf(string, Written, Decoders),
            case blanks(AfterKey) of
                <<$:, InValue/binary>> ->
                    {Value, Next, Rest} = value(blanks(InValue), Sofar, Decoders),
                    Push = maps:get(object_push, Decoders, fun(K, V, List) -> [{K, V} | List] end),
                    Pushed = Push(Key, Value, Next),
                    case blanks(Rest) of
                        <<$,, More/binary>> -> object(More, Pushed, Outer, Decoders);
                        <<$}, After/binary>> -> finish(object_finish, Pushed, Outer, After, Decoders);
                        Other -> unexpected(Other, [])
                    end;
                Other -> unexpected(Other, [])
            end;
        Other -> unexpected(Other, [])
    end.

finish(What, Sofar, Outer, Rest, Decoders) ->
    case Decoders of
        #{What := Finish} ->
            {Value, Acc} = Finish(Sofar, Outer),
            {Value, Acc, Rest};
        %% Of a key that stands twice the last value counts.
        #{} when What =:= object_finish -> {maps:from_list(lists:reverse(Sofar)), Outer, Rest};
        #{} -> {lists:reverse(Sofar), Outer, Rest}
    end.

number(Text) ->
    {Sign, AfterSign} = case Text of
                            <<$-, Rest/binary>> -> {<<"-">>, Rest};
                            _ -> {<<>>, Text}
                        end,
    {Whole, AfterWhole} = case AfterSign of
                              <<$0, Zero/binary>> -> {<<"0">>, Zero};
                              _ -> digits(AfterSign)
                          end,
    {Part, AfterPart} = case AfterWhole of
                            <<$., Point/binary>> -> with(<<".">>, digits(Point));
                            _ -> {<<>>, AfterWhole}
                        end,
    {Power, After} = case AfterPart of
                         <<E, S, Exponent/binary>> when (E =:= $e orelse E =:= $E), (S =:= $+ orelse S =:= $-) ->
                             with(<<E, S>>, digits(Exponent));
                         <<E, Exponent/binary>> when E =:= $e; E =:= $E -> with(<<E>>, digits(Exponent));
                         _ -> {<<>>, AfterPart}
                     end,
    Kind = case {Part, Power} of
               {<<>>, <<>>} -> integer;
               _ -> float
           end,
    {Kind, <<Sign/binary, Whole/binary, Part/binary, Power/binary>>, After}.

with(Before, {Digits, Rest}) -> {<<Before/binary, Digits/binary>>, Rest}.

digits(<<Digit, Rest/binary>>) when Digit >= $0, Digit =< $9 -> digits(Rest, <<Digit>>);
digits(Text) -> unexpected(Text, []).
digits(<<Digit, Rest/binary>>, Done) when Digit >= $0, Digit =< $9 -> digits(Rest, <<Done/binary, Digit>>);
digits(Rest, Done) -> {Done, Rest}.

string(<<$", Rest/binary>>, Done) -> {Done, Rest};
string(<<$\\, Rest/binary>>, Done) -> escape(Rest, Done);
string(<<Char/utf8, Rest/binary>>, Done) when Char >= 16#20 -> string(Rest, <<Done/binary, Char/utf8>>);
string(<<Byte, _/binary>>, _) when Byte < 16#20 -> error({invalid_byte, Byte});
string(<<>>, _) -> error(unexpected_end);
string(<<Byte, Rest/binary>>, _) -> not_utf8(Byte, Rest).

escape(<<$u, Hex:4/binary, Rest/binary>>, Done) ->
    case {hex(Hex), Rest} of
        {High, <<"\\u", Second:4/binary, After/binary>>} when High >= 16#D800, High =< 16#DBFF ->
            case hex(Second) of
                Low when Low >= 16#DC00, Low =< 16#DFFF ->
                    Char = 16#10000 + ((High - 16#D800) bsl 10) + (Low - 16#DC00),
                    string(After, <<Done/binary, Char/utf8>>);
                _ -> error({unexpected_sequence, <<"\\u", Hex/binary, "\\u", Second/binary>>})
            end;
        {Half, _} when Half >= 16#D800, Half =< 16#DFFF -> error({unexpected_sequence, <<"\\u", Hex/binary>>});
        {Char, _} -> string(Rest, <<Done/binary, Char/utf8>>)
    end;
escape(<<$u, _/binary>>, _) -> error(unexpected_end);
escape(<<Char, Rest/binary>>, Done) ->
    case lists:keyfind(Char, 1, [{$", $"}, {$\\, $\\}, {$/, $/}, {$b, $\b}, {$f, $\f}, {$n, $\n}, {$r, $\r}, {$t, $\t}]) of
        {_, Meant} -> string(Rest, <<Done/binary, Meant>>);
        false -> error({invalid_byte, Char})
    end;
escape(<<>>, _) -> error(unexpected_end).

hex(Digits) ->
    try binary_to_integer(Digits, 16) of
        Number when Number >= 0 -> Number;
        _ -> error({unexpected_sequence, <<"\\u", Digits/binary>>})
    catch error:badarg -> error({unexpected_sequence, <<"\\u", Digits/binary>>})
    end.

blanks(<<Char, Rest/binary>>) when Char =:= $\s; Char =:= $\t; Char =:= $\n; Char =:= $\r -> blanks(Rest);
blanks(Text) -> Text.

%% What cannot stand here; the beginning of a word that could is only cut off.
unexpected(<<>>, _) -> error(unexpected_end);
unexpected(<<Byte, _/binary>> = Text, Words) ->
    case [Word || Word <- Words, byte_size(Text) < byte_size(Word), binary:part(Word, 0, byte_size(Text)) =:= Text] of
        [_ | _] -> error(unexpected_end);
        [] -> error({invalid_byte, Byte})
    end.

%%% Not modelled.

decode_start(_, _, _) -> erlang:'$not_modelled'(json, decode_start, 3).
decode_continue(_, _) -> erlang:'$not_modelled'(json, decode_continue, 2).
format(_) -> erlang:'$not_modelled'(json, format, 1).
format(_, _) -> erlang:'$not_modelled'(json, format, 2).
format(_, _, _) -> erlang:'$not_modelled'(json, format, 3).
format_value(_, _, _) -> erlang:'$not_modelled'(json, format_value, 3).
format_key_value_list(_, _, _) -> erlang:'$not_modelled'(json, format_key_value_list, 3).
format_key_value_list_checked(_, _, _) -> erlang:'$not_modelled'(json, format_key_value_list_checked, 3).
