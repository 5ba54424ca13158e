-module(selective).
-export([main/0]).

main() ->
    [self() ! M || M <- [{low, 1}, {high, 2}, {low, 3}, {high, 4}, other]],
    io:format("~p~n", [drain()]),
    io:format("~p~n", [receive X -> X after 0 -> empty end]),
    T = receive after 10 -> timeout end,
    io:format("~p~n", [T]).

drain() ->
    receive
        {high, N} -> [{high, N} | drain()]
    after 0 ->
        receive
            {low, N} -> [{low, N} | drain()];
            other -> [other]
        end
    end.
