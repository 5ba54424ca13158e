%! run: future_is_read_twice:test/0
%! verdict: holds
%% A future keeps its value and answers every reader, before or after it is there.
-module(future_is_read_twice).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    F = spawn(fun() -> receive {value, V} -> answer(V, 2) end end),
    Self = self(),
    [spawn(fun() -> F ! {read, self()}, receive {is, V} -> Self ! V end end) || _ <- [1, 2]],
    F ! {value, 42},
    [receive V -> ?assertEqual(42, V) end || _ <- [1, 2]].

answer(_, 0) -> ok;
answer(V, K) -> receive {read, P} -> P ! {is, V}, answer(V, K - 1) end.
