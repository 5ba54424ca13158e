%% Header fields that are no whole bytes.
-module(bit_fields).
-export([main/0]).

main() ->
    Header = <<4:4, 5:4, 0:6, 3:2, 1500:16, 1:1, 0:1, 1:1, 100:13>>,
    p(bit_size(Header)),
    <<V:4, L:4, D:6, E:2, Len:16, F:3/bitstring, Off:13>> = Header,
    p({V, L, D, E, Len, F, Off}),
    p(bits(<<2#10110:5>>)),
    p(pack([1, 0, 1, 1, 0, 1, 0, 1, 1])),
    p(reverse_bits(<<2#10110:5>>)).

bits(<<B:1, R/bitstring>>) -> [B | bits(R)];
bits(<<>>) -> [].

pack(Bits) -> << <<B:1>> || B <- Bits >>.

reverse_bits(B) -> pack(lists:reverse(bits(B))).

p(X) -> io:format("~p~n", [X]).
