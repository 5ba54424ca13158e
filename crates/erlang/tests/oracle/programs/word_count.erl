%% Counting words with maps, dict and orddict gives the same.
-module(word_count).
-export([main/0]).

main() ->
    Words = string:tokens("the cat the dog a cat the end", " "),
    M = lists:foldl(fun(W, A) -> maps:update_with(W, fun(N) -> N + 1 end, 1, A) end, #{}, Words),
    D = lists:foldl(fun(W, A) -> dict:update_counter(W, 1, A) end, dict:new(), Words),
    O = lists:foldl(fun(W, A) -> orddict:update_counter(W, 1, A) end, orddict:new(), Words),
    p(maps:to_list(M)),
    p(lists:sort(dict:to_list(D)) =:= maps:to_list(M)),
    p(O =:= maps:to_list(M)),
    p(lists:reverse(lists:keysort(2, O))).

p(X) -> io:format("~p~n", [X]).
