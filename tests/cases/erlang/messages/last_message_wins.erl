%! run: last_message_wins:test/0
%! verdict: assertion
%% The store keeps the last value written; which of two writers is last is open.
-module(last_message_wins).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Store = spawn(fun() -> store(none, 2, Self) end),
    [spawn(fun() -> Store ! {put, N} end) || N <- [1, 2]],
    receive {final, V} -> ?assertEqual(2, V) end.

store(V, 0, Boss) -> Boss ! {final, V};
store(_, K, Boss) -> receive {put, V} -> store(V, K - 1, Boss) end.
