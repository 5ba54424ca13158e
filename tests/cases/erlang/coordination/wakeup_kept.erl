%! run: wakeup_kept:test/0
%! verdict: holds
%% Registering before testing: either the test sees the condition or the wake-up finds the waiter.
-module(wakeup_kept).
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
    ets:insert(T, {waiter, self()}),
    case ets:lookup(T, ready) of
        [{ready, true}] -> ok;
        [{ready, false}] -> receive wake -> ok end
    end,
    receive signalled -> ok end.
