%% Patterns of every kind.
-module(pattern_matching).
-export([main/0]).

main() ->
    p(match({ok, 1})), p(match({ok, a})), p(match([])), p(match([1])), p(match([1, 2])), p(match([1, 2, 3])),
    p(match("abc")), p(match(<<1, 2, 3>>)), p(match(<<"xyz">>)), p(match(#{k => v})), p(match(#{})),
    p(match(1.0)), p(match({a, {b, [c | d]}})), p(match({x, x})), p(match({x, y})), p(match(-1)), p(match($a)).

match({ok, N}) when is_integer(N) -> {int, N};
match({ok, Other}) -> {ok_with, Other};
match([]) -> nil;
match([X]) -> {single, X};
match("ab" ++ Rest) -> {ab, Rest};
match([A, B]) -> {pair, A, B};
match([H | T]) -> {list, H, T};
match(<<1, R/binary>>) -> {one_then, R};
match(B) when is_binary(B) -> binary;
match(#{k := V}) -> {map, V};
match(M) when is_map(M) -> empty_map;
match(1.0) -> float_one;
match({a, {B, [C | D]}} = All) -> {nested, B, C, D, All};
match({X, X}) -> {twice, X};
match({_, _}) -> two;
match(-1) -> minus_one;
match($a) -> letter_a.

p(X) -> io:format("~p~n", [X]).
