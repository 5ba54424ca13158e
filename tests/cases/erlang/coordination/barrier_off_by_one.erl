%! run: barrier_off_by_one:test/0
%! verdict: assertion
%% The barrier opens one too early.
-module(barrier_off_by_one).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {before, 0}),
    B = spawn(fun() -> barrier(1, []) end),
    Self = self(),
    [spawn(fun() ->
        ets:update_counter(T, before, 1),
        B ! {arrive, self()},
        receive pass -> ok after 10 -> ok end,
        Self ! {saw, ets:lookup_element(T, before, 2)}
    end) || _ <- [1, 2]],
    L = [receive {saw, N} -> N end || _ <- [1, 2]],
    ?assertEqual([2, 2], L).

barrier(0, Waiting) -> [P ! pass || P <- Waiting];
barrier(N, Waiting) -> receive {arrive, P} -> barrier(N - 1, [P | Waiting]) end.
