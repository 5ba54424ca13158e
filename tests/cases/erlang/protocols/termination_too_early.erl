%! run: termination_too_early:test/0
%! verdict: assertion
%% Children that are faster than their parent's announcement make the count reach zero too early.
-module(termination_too_early).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    spawn(fun() -> task(1, Self) end),
    ?assertEqual(3, collect(1, 0)).

task(0, Boss) -> Boss ! {done, 0};
task(N, Boss) ->
    [spawn(fun() -> task(N - 1, Boss) end) || _ <- [1, 2]],
    Boss ! {done, 2}.

collect(0, N) -> N;
collect(Open, N) -> receive {done, New} -> collect(Open - 1 + New, N + 1) end.
