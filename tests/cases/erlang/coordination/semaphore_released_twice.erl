%! run: semaphore_released_twice:test/0
%! verdict: assertion
%% One process releases twice, and afterwards two are inside where one is allowed.
-module(semaphore_released_twice).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    S = spawn(fun() -> semaphore(1, 4) end),
    T = ets:new(t, [public]),
    ets:insert(T, {inside, 0}),
    Self = self(),
    S ! {acquire, self()},
    receive granted -> S ! release, S ! release end,
    [spawn(fun() ->
        S ! {acquire, self()},
        receive granted -> ok end,
        N = ets:update_counter(T, inside, 1),
        ets:update_counter(T, inside, -1),
        S ! release,
        Self ! {saw, N}
    end) || _ <- [1, 2]],
    L = [receive {saw, N} -> N end || _ <- [1, 2]],
    ?assertEqual([1, 1], L).

semaphore(_, 0) -> ok;
semaphore(0, Left) ->
    receive release -> semaphore(1, Left - 1) end;
semaphore(N, Left) ->
    receive
        {acquire, P} -> P ! granted, semaphore(N - 1, Left);
        release -> semaphore(N + 1, Left - 1)
    end.
