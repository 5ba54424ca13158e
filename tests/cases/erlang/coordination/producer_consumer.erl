%! run: producer_consumer:test/0
%! verdict: holds
%% A buffer with one place: the producer waits while it is full and the consumer while it is empty.
-module(producer_consumer).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    B = spawn(fun() -> empty(3) end),
    spawn(fun() -> [begin B ! {put, self(), N}, receive stored -> ok end end || N <- [1, 2, 3]] end),
    L = [begin B ! {get, self()}, receive {item, X} -> X end end || _ <- [1, 2, 3]],
    ?assertEqual([1, 2, 3], L).

empty(0) -> ok;
empty(K) -> receive {put, P, X} -> P ! stored, full(X, K) end.
full(X, K) -> receive {get, C} -> C ! {item, X}, empty(K - 1) end.
