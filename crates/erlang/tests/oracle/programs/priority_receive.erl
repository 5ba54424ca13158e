%% Nested receives that prefer one kind of message.
-module(priority_receive).
-export([main/0]).

main() ->
    [self() ! M || M <- [{low, 1}, {high, 1}, {low, 2}, {high, 2}]],
    p(important()), p(important()), p(important()).

important() ->
    receive {high, X} -> [{high, X} | important()]
    after 0 -> normal()
    end.

normal() -> receive {_, X} -> [X | normal()] after 0 -> [] end.

p(X) -> io:format("~p~n", [X]).
