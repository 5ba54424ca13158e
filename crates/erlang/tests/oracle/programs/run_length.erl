%% Run-length coding of text, forth and back.
-module(run_length).
-export([main/0]).

main() ->
    E = encode("aaabccdddd"),
    p(E),
    p(decode(E)),
    p(decode(E) =:= "aaabccdddd").

encode([]) -> [];
encode([C | T]) -> encode(T, C, 1).

encode([C | T], C, N) -> encode(T, C, N + 1);
encode([D | T], C, N) -> [{C, N} | encode(T, D, 1)];
encode([], C, N) -> [{C, N}].

decode(L) -> lists:flatmap(fun({C, N}) -> lists:duplicate(N, C) end, L).

p(X) -> io:format("~p~n", [X]).
