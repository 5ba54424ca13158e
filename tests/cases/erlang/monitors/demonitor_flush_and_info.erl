%! run: demonitor_flush_and_info:test/0
%! verdict: deadlock
%% With flush the DOWN is gone even when info says that it had come: waiting for it never ends.
-module(demonitor_flush_and_info).
-export([test/0]).

test() ->
    {_, Ref} = spawn_monitor(fun() -> ok end),
    case demonitor(Ref, [flush, info]) of
        true -> ok;
        false -> receive {'DOWN', Ref, _, _, _} -> ok end
    end.
