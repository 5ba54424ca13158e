%! run: two_clocks:test/0
%! verdict: holds
%% Whoever hears of a read has a later one, by any clock.
-module(two_clocks).
-export([test/0]).
test() ->
    P = self(),
    spawn(fun() -> P ! erlang:monotonic_time() end),
    T = receive T0 -> T0 end,
    true = erlang:system_time() > T,
    true = os:perf_counter() > T.
