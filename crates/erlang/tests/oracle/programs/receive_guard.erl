%% Guards choose among messages.
-module(receive_guard).
-export([main/0]).

main() ->
    [self() ! N || N <- [1, 5, 2, 8, 3]],
    p(big(4)), p(big(4)), p(rest()).

big(Min) -> receive N when N > Min -> N end.

rest() -> receive N -> [N | rest()] after 0 -> [] end.

p(X) -> io:format("~p~n", [X]).
