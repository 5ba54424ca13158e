%% Hash functions with fixed results.
-module(hashes).
-export([main/0]).

main() ->
    p(erlang:phash2("hello")), p(erlang:phash2({1, 2}, 1000)),
    p(erlang:crc32("hello world")), p(erlang:adler32(<<"hello world">>)),
    p(erlang:md5("hello")),
    p(erlang:phash2(#{a => 1}) =:= erlang:phash2(#{a => 1})),
    p(erlang:phash2(1) =:= erlang:phash2(1.0)).

p(X) -> io:format("~p~n", [X]).
