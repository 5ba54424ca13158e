%! run: slept:test/0
%! verdict: holds
%% Sleeping takes at least its time, in every unit.
-module(slept).
-export([test/0]).
test() ->
    [begin
         T0 = erlang:monotonic_time(Unit),
         timer:sleep(100),
         T1 = erlang:monotonic_time(Unit),
         true = T1 - T0 >= erlang:convert_time_unit(100, millisecond, Unit)
     end || Unit <- [native, microsecond, millisecond]].
