%! run: two_locks_for_one_variable:test/0
%! verdict: assertion
%% Two processes protect one variable with two different locks, which is no protection.
-module(two_locks_for_one_variable).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {n, 0}),
    Self = self(),
    [spawn(fun() ->
        L = spawn(fun() -> lock() end),
        L ! {lock, self()}, receive locked -> ok end,
        [{n, V}] = ets:lookup(T, n),
        ets:insert(T, {n, V + 1}),
        L ! unlock,
        Self ! done
    end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual([{n, 2}], ets:lookup(T, n)).

lock() ->
    receive {lock, P} -> P ! locked, receive unlock -> ok end end.
