%! run: monitor_alias_demonitored:test/0
%! verdict: holds
%% Demonitoring takes the alias away: the late answer is dropped.
-module(monitor_alias_demonitored).
-export([test/0]).

test() ->
    Self = self(),
    Server = spawn(fun() -> receive {call, A} -> receive go -> A ! {A, late}, Self ! sent end end end),
    Ref = monitor(process, Server, [{alias, demonitor}]),
    Server ! {call, Ref},
    demonitor(Ref, [flush]),
    Server ! go,
    receive sent -> ok end,
    receive {Ref, late} -> error(late) after 0 -> ok end.
