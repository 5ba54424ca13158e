%! run: consumer_wants_more:test/0
%! verdict: deadlock
%% The consumer waits for a third item of two.
-module(consumer_wants_more).
-export([test/0]).

test() ->
    B = spawn(fun() -> empty() end),
    spawn(fun() -> [B ! {put, N} || N <- [1, 2]] end),
    [begin B ! {get, self()}, receive {item, X} -> X end end || _ <- [1, 2, 3]].

empty() -> receive {put, X} -> full(X) end.
full(X) -> receive {get, C} -> C ! {item, X}, empty() end.
