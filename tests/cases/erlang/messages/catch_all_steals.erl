%! run: catch_all_steals:test/0
%! verdict: deadlock
%% The first receive is meant for the noise but takes anything; if it takes the end marker, the second waits for ever.
-module(catch_all_steals).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> Self ! noise end),
    spawn(fun() -> Self ! done end),
    receive _Noise -> ok end,
    receive done -> ok end.
