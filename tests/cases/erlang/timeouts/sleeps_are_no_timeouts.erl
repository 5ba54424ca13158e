%! run: sleeps_are_no_timeouts:test/0
%! verdict: holds
%% With after_timeout 1000 a sleep of six seconds ends all the same: it waits for nothing else.
-module(sleeps_are_no_timeouts).
-export([test/0]).
-concuerror_options([{after_timeout, 1000}]).

test() ->
    Self = self(),
    spawn(fun() -> timer:sleep(6000), Self ! awake end),
    receive awake -> ok after 5000 -> error(too_slow) end.
