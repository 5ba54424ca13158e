%! run: semaphore_not_released:test/0
%! verdict: deadlock
%% Two users share one permit and the first keeps it.
-module(semaphore_not_released).
-export([test/0]).

test() ->
    S = spawn(fun() -> receive {acquire, P} -> P ! granted, receive release -> ok end end end),
    [spawn(fun() -> S ! {acquire, self()}, receive granted -> kept end end) || _ <- [1, 2]].
