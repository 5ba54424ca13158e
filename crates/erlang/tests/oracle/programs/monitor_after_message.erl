%% The DOWN comes after what the process sent before it died.
-module(monitor_after_message).
-export([main/0]).

main() ->
    Self = self(),
    {_, M} = spawn_monitor(fun() -> [Self ! N || N <- [1, 2, 3]] end),
    p(collect(M)).

collect(M) ->
    receive
        {'DOWN', M, _, _, R} -> [{down, R}];
        X -> [X | collect(M)]
    end.

p(X) -> io:format("~p~n", [X]).
