%! run: lost_wakeup:test/0
%! verdict: deadlock
%% The condition is tested, then the process registers to be woken; the wake-up between the two is lost.
-module(lost_wakeup).
-export([test/0]).

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {ready, false}),
    Self = self(),
    spawn(fun() ->
        ets:insert(T, {ready, true}),
        case ets:lookup(T, waiter) of [{waiter, P}] -> P ! wake; [] -> nobody end,
        Self ! signalled
    end),
    case ets:lookup(T, ready) of
        [{ready, true}] -> ok;
        [{ready, false}] -> ets:insert(T, {waiter, self()}), receive wake -> ok end
    end,
    receive signalled -> ok end.
