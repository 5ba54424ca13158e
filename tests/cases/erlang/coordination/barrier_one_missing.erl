%! run: barrier_one_missing:test/0
%! verdict: deadlock
%% Three are expected and two come.
-module(barrier_one_missing).
-export([test/0]).

test() ->
    B = spawn(fun() -> barrier(3, []) end),
    [spawn(fun() -> B ! {arrive, self()}, receive pass -> ok end end) || _ <- [1, 2]].

barrier(0, Waiting) -> [P ! pass || P <- Waiting];
barrier(N, Waiting) -> receive {arrive, P} -> barrier(N - 1, [P | Waiting]) end.
