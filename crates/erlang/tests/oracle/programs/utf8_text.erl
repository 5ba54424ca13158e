%% Text as code points and bytes.
-module(utf8_text).
-export([main/0]).

main() ->
    Text = "grün €5 😀",
    Bin = unicode:characters_to_binary(Text),
    p(byte_size(Bin)),
    p(length(Text)),
    p([C || <<C/utf8>> <= Bin]),
    p(unicode:characters_to_list(Bin) =:= Text),
    io:format("~ts~n", [Text]),
    io:format("~tp~n", [Text]),
    io:format("~w~n", [Bin]),
    <<First/utf8, _/binary>> = Bin,
    p(First),
    p(string:length(Text)),
    p(string:uppercase("grün")).

p(X) -> io:format("~p~n", [X]).
