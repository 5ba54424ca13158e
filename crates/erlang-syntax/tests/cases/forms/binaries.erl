-module(binaries).
f(X, Y, N) ->
    <<>>, <<1, 2, 3>>, <<"abc">>, <<"abc"/utf8>>,
    <<X:8, Y:N/binary, -1:16/signed-little-integer-unit:1>>,
    <<X:(N + 1)/bitstring, (Y + 1):4>>,
    <<X/float, Y/utf16-big, N/native-unsigned>>,
    << <<B>> || <<B:1>> <= X >>,
    << <<(B + 1)>> || B <- Y, B > 0 >>,
    [B || <<B:4/binary>> <= X, A <- Y, A].
g(<<A, B:A/binary, Rest/bitstring>>) -> {B, Rest};
g(<<"x", _/binary>>) -> ok.
