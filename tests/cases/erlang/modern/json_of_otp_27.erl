%! run: json_of_otp_27:test/0
%! verdict: holds
%% JSON as OTP 27's documentation says it is read and written.
-module(json_of_otp_27).
-export([test/0]).
test() ->
    <<"{\"a\":[1,2.5,null,true,\"x\\ny\\u0001\"]}">> = written(#{a => [1, 2.5, null, true, <<"x\ny", 1>>]}),
    <<"[]">> = written([]),
    <<"{}">> = written(#{}),
    <<"{\"1\":\"other\"}">> = written(#{1 => other}),
    <<"\"\\u20ac\"">> = lower(iolist_to_binary(json:encode_binary_escape_all(<<8364/utf8>>))),
    <<"\"\\ud83d\\ude00\"">> = lower(iolist_to_binary(json:encode_binary_escape_all(<<128512/utf8>>))),
    {unsupported_type, {a}} = reason(fun() -> json:encode([{a}]) end),
    {invalid_byte, 255} = reason(fun() -> json:encode(<<255>>) end),
    Tuples = fun(T, E) when is_tuple(T) -> json:encode_list(tuple_to_list(T), E);
                (T, E) -> json:encode_value(T, E)
             end,
    <<"[1,[2]]">> = iolist_to_binary(json:encode({1, {2}}, Tuples)),
    <<"{\"b\":1,\"a\":2}">> =
        iolist_to_binary(json:encode_key_value_list([{b, 1}, {<<"a">>, 2}], fun json:encode_value/2)),
    {duplicate_key, <<"b">>} =
        reason(fun() -> json:encode_key_value_list_checked([{b, 1}, {<<"b">>, 2}], fun json:encode_value/2) end),
    #{<<"a">> := [1, -2, 1.5, 100.0, 0.12], <<"b">> := #{}} =
        json:decode(<<" { \"a\" : [1, -2, 1.5, 1e2, 12.0E-2] , \"b\":{} } ">>),
    <<"a/", 8364/utf8, 128512/utf8, "\t">> = json:decode(<<"\"a\\/\\u20ac\\uD83D\\uDE00\\t\"">>),
    #{<<"a">> := 2} = json:decode(<<"{\"a\":1,\"a\":2}">>),
    unexpected_end = reason(fun() -> json:decode(<<"[1,">>) end),
    unexpected_end = reason(fun() -> json:decode(<<"tru">>) end),
    {invalid_byte, $x} = reason(fun() -> json:decode(<<"[x]">>) end),
    {invalid_byte, $]} = reason(fun() -> json:decode(<<"[1,]">>) end),
    {invalid_byte, $2} = reason(fun() -> json:decode(<<"1 2">>) end),
    {unexpected_sequence, <<"\\uDC00">>} = reason(fun() -> json:decode(<<"\"\\uDC00\"">>) end),
    {[1, 2], ok, <<" rest">>} = json:decode(<<"[1,2] rest">>, ok, #{}),
    Decoders = #{null => nothing, integer => fun(Digits) -> {int, Digits} end,
                 object_push => fun(Key, Value, Sofar) -> [{binary_to_atom(Key), Value} | Sofar] end,
                 object_finish => fun(Sofar, Outer) -> {lists:sort(Sofar), Outer} end},
    {[{a, nothing}, {b, {int, <<"7">>}}], here, <<>>} =
        json:decode(<<"{\"b\":7,\"a\":null}">>, here, Decoders).

written(Term) -> iolist_to_binary(json:encode(Term)).
lower(Binary) -> string:lowercase(Binary).
reason(Fun) -> try Fun() catch error:Reason -> Reason end.
