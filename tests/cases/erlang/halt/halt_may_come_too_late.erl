%! run: halt_may_come_too_late:test/0
%! verdict: deadlock
%% Whether the program is ended depends on which of the two is second.
-module(halt_may_come_too_late).
-export([test/0]).

test() ->
    P = spawn(fun() -> receive _ -> halt(0) end end),
    Self = self(),
    T = ets:new(t, [public]),
    [spawn(fun() ->
        case ets:insert_new(T, {first}) of true -> Self ! go; false -> Second ! go end
    end) || Second <- [P, Self]],
    receive go -> ok end,
    receive go -> ok end.
