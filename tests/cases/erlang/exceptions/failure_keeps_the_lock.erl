%! run: failure_keeps_the_lock:test/0
%! verdict: deadlock
%% Without after a failure keeps the lock for ever.
-module(failure_keeps_the_lock).
-export([test/0]).

test() ->
    L = spawn(fun() -> lock(2) end),
    Self = self(),
    [spawn(fun() -> Self ! {result, catch with_lock(L, F)} end)
     || F <- [fun() -> fine end, fun() -> throw(failed) end]],
    [receive {result, _} -> ok end || _ <- [1, 2]].

with_lock(L, F) ->
    L ! {lock, self()},
    receive locked -> ok end,
    R = F(),
    L ! unlock,
    R.

lock(0) -> ok;
lock(K) -> receive {lock, P} -> P ! locked, receive unlock -> lock(K - 1) end end.
