%! run: lock_taken_twice:test/0
%! verdict: deadlock
%% A plain lock is not re-entrant: taking it twice is waiting for oneself.
-module(lock_taken_twice).
-export([test/0]).

test() ->
    L = spawn(fun() -> lock() end),
    acquire(L),
    acquire(L),
    L ! unlock, L ! unlock, L ! stop.

acquire(L) -> L ! {lock, self()}, receive {locked, L} -> ok end.

lock() ->
    receive
        {lock, P} -> P ! {locked, self()}, receive unlock -> lock() end;
        stop -> ok
    end.
