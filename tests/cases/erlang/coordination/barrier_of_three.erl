%! run: barrier_of_three:test/0
%! verdict: holds
%% Nobody passes the barrier before all have come.
-module(barrier_of_three).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {before, 0}),
    B = spawn(fun() -> barrier(3, []) end),
    Self = self(),
    [spawn(fun() ->
        ets:update_counter(T, before, 1),
        B ! {arrive, self()},
        receive pass -> ok end,
        Self ! {saw, ets:lookup_element(T, before, 2)}
    end) || _ <- [1, 2, 3]],
    [receive {saw, N} -> ?assertEqual(3, N) end || _ <- [1, 2, 3]].

barrier(0, Waiting) -> [P ! pass || P <- Waiting];
barrier(N, Waiting) -> receive {arrive, P} -> barrier(N - 1, [P | Waiting]) end.
