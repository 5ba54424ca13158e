%! run: alarms_of_sasl:test/0
%! verdict: holds
%% The event manager of alarms is there as soon as sasl has been started, and gone when it has been stopped.
-module(alarms_of_sasl).
-export([test/0]).
-concuerror_options([{after_timeout, 5000}, {treat_as_normal, shutdown}]).

test() ->
    undefined = whereis(alarm_handler),
    ok = application:start(sasl),
    [alarm_handler] = gen_event:which_handlers(alarm_handler),
    ok = application:stop(sasl),
    undefined = whereis(alarm_handler).
