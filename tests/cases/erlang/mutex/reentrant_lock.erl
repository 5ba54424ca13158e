%! run: reentrant_lock:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 408, transitions = 934, depth = 37
%! stateless(optimal): holds, interleavings = 4
%% A re-entrant lock knows its holder and counts.
-module(reentrant_lock).
-export([test/0]).

test() ->
    L = spawn(fun() -> free() end),
    Self = self(),
    [spawn(fun() ->
        acquire(L), acquire(L),
        L ! {unlock, self()}, L ! {unlock, self()},
        Self ! done
    end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    L ! stop.

acquire(L) -> L ! {lock, self()}, receive locked -> ok end.

free() ->
    receive {lock, P} -> P ! locked, held(P, 1); stop -> ok end.

held(_, 0) -> free();
held(P, N) ->
    receive
        {lock, P} -> P ! locked, held(P, N + 1);
        {unlock, P} -> held(P, N - 1)
    end.
