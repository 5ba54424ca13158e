%! run: absolute_timer:test/0
%! verdict: holds
%% A timer for a time of the clock that has passed may fire at once; its message comes.
-module(absolute_timer).
-export([test/0]).
test() ->
    Now = erlang:monotonic_time(millisecond),
    erlang:send_after(Now + 50, self(), tick, [{abs, true}]),
    receive tick -> ok end,
    true = erlang:monotonic_time(millisecond) >= Now + 50.
