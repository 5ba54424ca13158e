%! run: division_by_race:test/0
%! verdict: abnormal_exit
%% The divisor is still zero when the writer is late.
-module(division_by_race).
-export([test/0]).

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {n, 0}),
    Self = self(),
    spawn(fun() -> ets:insert(T, {n, 5}), Self ! done end),
    N = ets:lookup_element(T, n, 2),
    receive done -> ok end,
    10 div N.
