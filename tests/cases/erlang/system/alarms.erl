%! run: alarms:test/0
%! verdict: holds
%% Alarms that are set and cleared; the handler tells those that are set. It belongs to the run-time system and goes on waiting.
-module(alarms).
-export([test/0]).
-concuerror_options([{after_timeout, 5000}]).

test() ->
    ok = alarm_handler:set_alarm({disk, full}),
    ok = alarm_handler:set_alarm({hot, 90}),
    [{hot, 90}, {disk, full}] = alarm_handler:get_alarms(),
    ok = alarm_handler:clear_alarm(disk),
    [{hot, 90}] = alarm_handler:get_alarms().
