%% erlang:decode_packet for lines and lengths.
-module(decode_packets).
-export([main/0]).

main() ->
    p(erlang:decode_packet(line, <<"one\ntwo\n">>, [])),
    p(erlang:decode_packet(line, <<"unfinished">>, [])),
    p(erlang:decode_packet(2, <<0, 3, "abcdef">>, [])),
    p(erlang:decode_packet(raw, <<"raw">>, [])).

p(X) -> io:format("~p~n", [X]).
