-module(binaries).
-export([main/0]).

main() ->
    Packet = encode([{1, <<"hello">>}, {2, <<>>}, {3, <<"world">>}]),
    io:format("~p~n", [Packet]),
    io:format("~p~n", [decode(Packet)]),
    io:format("~p~n", [checksum(Packet)]),
    io:format("~p~n", [hex(<<"foresee">>)]),
    io:format("~p~n", [bits(<<16#A5>>)]),
    <<Version:4, Len:4, _/bitstring>> = <<16#45, 0, 1>>,
    io:format("~p ~p~n", [Version, Len]).

encode(Items) -> << <<Id:16, (byte_size(D)):8, D/binary>> || {Id, D} <- Items >>.

decode(<<>>) -> [];
decode(<<Id:16, N:8, D:N/binary, Rest/binary>>) -> [{Id, D} | decode(Rest)].

checksum(B) -> checksum(B, 0).
checksum(<<X, R/binary>>, S) -> checksum(R, (S * 31 + X) rem 65536);
checksum(<<>>, S) -> S.

hex(B) -> lists:flatten([io_lib:format("~2.16.0b", [X]) || <<X>> <= B]).

bits(B) -> [X || <<X:1>> <= B].
