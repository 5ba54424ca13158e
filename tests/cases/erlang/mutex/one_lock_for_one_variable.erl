%! run: one_lock_for_one_variable:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 241, transitions = 531, depth = 31
%! stateless(optimal): holds, interleavings = 4
%% The same update under one lock loses nothing.
-module(one_lock_for_one_variable).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {n, 0}),
    Self = self(),
    L = spawn(fun() -> lock(2) end),
    [spawn(fun() ->
        L ! {lock, self()}, receive locked -> ok end,
        [{n, V}] = ets:lookup(T, n),
        ets:insert(T, {n, V + 1}),
        L ! unlock,
        Self ! done
    end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual([{n, 2}], ets:lookup(T, n)).

lock(0) -> ok;
lock(K) ->
    receive {lock, P} -> P ! locked, receive unlock -> lock(K - 1) end end.
