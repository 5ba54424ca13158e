%% Fibonacci numbers with a table as memory.
-module(ets_cache).
-export([main/0]).

main() ->
    ets:new(memo, [named_table]),
    p(fib(80)),
    p(ets:info(memo, size)),
    ets:delete(memo).

fib(N) when N < 2 -> N;
fib(N) ->
    case ets:lookup(memo, N) of
        [{_, V}] -> V;
        [] -> V = fib(N - 1) + fib(N - 2), ets:insert(memo, {N, V}), V
    end.

p(X) -> io:format("~p~n", [X]).
