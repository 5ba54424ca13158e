%! run: timer_takes_its_time:test/0
%! verdict: holds
%% A timer that has fired has taken its time, and a wait in vain too.
-module(timer_takes_its_time).
-export([test/0]).
test() ->
    T0 = erlang:monotonic_time(millisecond),
    erlang:send_after(5000, self(), tick),
    receive tick -> ok end,
    T1 = erlang:monotonic_time(millisecond),
    true = T1 - T0 >= 5000,
    receive nothing -> ok after 70 -> ok end,
    true = erlang:monotonic_time(millisecond) - T1 >= 70.
