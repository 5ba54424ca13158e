%! run: short_timeouts_stay_on:test/0
%! verdict: abnormal_exit
%% after_timeout 1000 leaves shorter timeouts alone: half a second may still pass before the answer.
-module(short_timeouts_stay_on).
-export([test/0]).
-concuerror_options([{after_timeout, 1000}]).

test() ->
    Self = self(),
    spawn(fun() -> Self ! answer end),
    receive answer -> ok after 500 -> error(too_slow) end.
