%! run: two_locks_same_order:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 541, transitions = 1434, depth = 41
%! stateless(optimal): holds, interleavings = 4
%% Everybody takes A before B: no circle can form.
-module(two_locks_same_order).
-export([test/0]).

test() ->
    [A, B] = [spawn(fun() -> lock() end) || _ <- [1, 2]],
    Self = self(),
    [spawn(fun() -> both(A, B), Self ! done end) || _ <- [1, 2]],
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
