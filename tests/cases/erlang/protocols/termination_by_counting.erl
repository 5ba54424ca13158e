%! run: termination_by_counting:test/0
%! verdict: holds
%% A task announces its children before it spawns them, so the count of open tasks is never too small.
-module(termination_by_counting).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    spawn(fun() -> task(1, Self) end),
    ?assertEqual(3, collect(1, 0)).

task(0, Boss) -> Boss ! {done, 0};
task(N, Boss) ->
    Boss ! {done, 2},
    [spawn(fun() -> task(N - 1, Boss) end) || _ <- [1, 2]].

collect(0, N) -> N;
collect(Open, N) -> receive {done, New} -> collect(Open - 1 + New, N + 1) end.
