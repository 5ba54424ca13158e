%! run: two_locks_opposite_order:test/0
%! verdict: deadlock
%% One takes A then B, the other B then A: each may hold what the other wants.
-module(two_locks_opposite_order).
-export([test/0]).

test() ->
    [A, B] = [spawn(fun() -> lock() end) || _ <- [1, 2]],
    Self = self(),
    [spawn(fun() -> both(X, Y), Self ! done end) || {X, Y} <- [{A, B}, {B, A}]],
    [receive done -> ok end || _ <- [1, 2]],
    [L ! stop || L <- [A, B]].

both(X, Y) ->
    acquire(X), acquire(Y),
    Y ! unlock, X ! unlock.

acquire(L) -> L ! {lock, self()}, receive {locked, L} -> ok end.

lock() ->
    receive
        {lock, P} -> P ! {locked, self()}, receive unlock -> lock() end;
        stop -> ok
    end.
