%! run: unlock_never_sent:test/0
%! verdict: deadlock
%% On one way out of the critical section the lock is not given back.
-module(unlock_never_sent).
-export([test/0]).

test() ->
    L = spawn(fun() -> lock() end),
    Self = self(),
    T = ets:new(t, [public]),
    [spawn(fun() ->
        acquire(L),
        case ets:insert_new(T, {first, self()}) of
            true -> L ! unlock;
            false -> early_return
        end,
        Self ! done
    end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    L ! stop.

acquire(L) -> L ! {lock, self()}, receive {locked, L} -> ok end.

lock() ->
    receive
        {lock, P} -> P ! {locked, self()}, receive unlock -> lock() end;
        stop -> ok
    end.
