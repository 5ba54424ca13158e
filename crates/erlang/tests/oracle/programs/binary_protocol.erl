%% A small protocol: encode and decode with lengths and tags.
-module(binary_protocol).
-export([main/0]).

main() ->
    Messages = [{ping, 7}, {text, <<"hello">>}, {list, [1, 2, 300]}, {text, <<>>}],
    Encoded = iolist_to_binary([encode(M) || M <- Messages]),
    p(Encoded),
    p(decode(Encoded)),
    p(decode(<<9, 0>>)),
    p(decode(binary:part(Encoded, 0, 7))).

encode({ping, N}) -> <<1, N:32>>;
encode({text, T}) -> <<2, (byte_size(T)):16, T/binary>>;
encode({list, L}) -> [<<3, (length(L)):8>>, [<<X:16/little>> || X <- L]].

decode(<<1, N:32, R/binary>>) -> [{ping, N} | decode(R)];
decode(<<2, L:16, T:L/binary, R/binary>>) -> [{text, T} | decode(R)];
decode(<<3, L, R/binary>>) ->
    Bytes = L * 2,
    <<B:Bytes/binary, Rest/binary>> = R,
    [{list, [X || <<X:16/little>> <= B]} | decode(Rest)];
decode(<<>>) -> [];
decode(Rest) -> [{unknown, Rest}].

p(X) -> io:format("~p~n", [X]).
