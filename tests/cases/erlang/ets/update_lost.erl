%! run: update_lost:test/0
%! verdict: assertion
%% Read, add one, write back: both may read the old value.
-module(update_lost).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(counter, [public]),
    ets:insert(T, {n, 0}),
    Self = self(),
    [spawn(fun() ->
        [{n, V}] = ets:lookup(T, n),
        ets:insert(T, {n, V + 1}),
        Self ! done
    end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual([{n, 2}], ets:lookup(T, n)).
