%! run: frozen_by_option:test/0
%! verdict: holds
%% With clocks that stand still no time passes.
-module(frozen_by_option).
-export([test/0]).
-foresee_options([{clock, frozen}]).
test() ->
    T0 = erlang:monotonic_time(millisecond),
    timer:sleep(100),
    0 = erlang:monotonic_time(millisecond) - T0.
