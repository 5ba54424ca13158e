%! run: others_may_sleep_between:test/0
%! verdict: abnormal_exit
%% Another's sleep may end between two reads, or not.
-module(others_may_sleep_between).
-export([test/0]).
test() ->
    spawn(fun() -> timer:sleep(1000) end),
    T0 = erlang:monotonic_time(millisecond),
    T1 = erlang:monotonic_time(millisecond),
    true = T1 - T0 < 1000.
