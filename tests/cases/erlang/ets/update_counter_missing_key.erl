%! run: update_counter_missing_key:test/0
%! verdict: abnormal_exit
%% Without a default the key must be there, and the child that makes it may be late.
-module(update_counter_missing_key).
-export([test/0]).

test() ->
    T = ets:new(counter, [public]),
    spawn(fun() -> catch ets:insert(T, {n, 0}) end),
    ets:update_counter(T, n, 1).
