%! run: zero_takes_no_time:test/0
%! verdict: holds
%% A wait of 0 moves no clock.
-module(zero_takes_no_time).
-export([test/0]).
test() ->
    T0 = erlang:monotonic_time(millisecond),
    receive x -> ok after 0 -> ok end,
    1 = erlang:monotonic_time(millisecond) - T0.
