%! run: semaphore_of_two:test/0
%! verdict: holds
%% With two permits at most two are inside.
-module(semaphore_of_two).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    S = spawn(fun() -> semaphore(2, 3) end),
    T = ets:new(t, [public]),
    ets:insert(T, {inside, 0}),
    Self = self(),
    [spawn(fun() ->
        S ! {acquire, self()},
        receive granted -> ok end,
        N = ets:update_counter(T, inside, 1),
        ets:update_counter(T, inside, -1),
        S ! release,
        Self ! {saw, N}
    end) || _ <- [1, 2, 3]],
    [receive {saw, N} -> ?assert(N =< 2) end || _ <- [1, 2, 3]].

semaphore(_, 0) -> ok;
semaphore(0, Left) ->
    receive release -> semaphore(1, Left - 1) end;
semaphore(N, Left) ->
    receive
        {acquire, P} -> P ! granted, semaphore(N - 1, Left);
        release -> semaphore(N + 1, Left - 1)
    end.
