%! run: two_producers_order:test/0
%! verdict: assertion
%% With two producers the order in the buffer is open.
-module(two_producers_order).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    B = spawn(fun() -> empty(2) end),
    [spawn(fun() -> B ! {put, N} end) || N <- [1, 2]],
    L = [begin B ! {get, self()}, receive {item, X} -> X end end || _ <- [1, 2]],
    ?assertEqual([1, 2], L).

empty(0) -> ok;
empty(K) -> receive {put, X} -> full(X, K) end.
full(X, K) -> receive {get, C} -> C ! {item, X}, empty(K - 1) end.
