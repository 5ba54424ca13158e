%% A thousand processes add up.
-module(many_processes).
-export([main/0]).

main() ->
    Self = self(),
    [spawn(fun() -> Self ! {n, N} end) || N <- lists:seq(1, 1000)],
    p(lists:sum([receive {n, N} -> N end || _ <- lists:seq(1, 1000)])).

p(X) -> io:format("~p~n", [X]).
