%! run: spin_on_a_flag:test/0
%! verdict: deadlock
%% The consumer looks at the flag once, finds it down and then waits for a message nobody sends.
-module(spin_on_a_flag).
-export([test/0]).

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {flag, down}),
    Self = self(),
    spawn(fun() -> ets:insert(T, {flag, up}), Self ! written end),
    case ets:lookup(T, flag) of
        [{flag, up}] -> ok;
        [{flag, down}] -> receive wake_up -> ok end
    end,
    receive written -> ok end.
