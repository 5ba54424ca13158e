%! run: look_then_lock:test/0
%! verdict: assertion
%% Looking whether the lock is free and taking it are two steps: both can take it.
-module(look_then_lock).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(shared, [public]),
    ets:insert(T, [{lock, free}, {inside, 0}]),
    Self = self(),
    [spawn(fun() -> Self ! {saw, run(T)} end) || _ <- [1, 2]],
    L = [receive {saw, N} -> N end || _ <- [1, 2]],
    ?assert(lists:max(L) =< 1).

run(T) ->
    case ets:lookup(T, lock) of
        [{lock, free}] ->
            ets:insert(T, {lock, taken}),
            N = ets:update_counter(T, inside, 1),
            ets:update_counter(T, inside, -1),
            ets:insert(T, {lock, free}),
            N;
        [{lock, taken}] -> 0
    end.
