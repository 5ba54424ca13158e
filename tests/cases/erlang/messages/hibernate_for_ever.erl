%! run: hibernate_for_ever:test/0
%! verdict: deadlock
%% Nobody wakes it.
-module(hibernate_for_ever).
-export([test/0, woke/1]).
woke(P) -> M = receive Any -> Any after 0 -> none end, P ! {woke, M}.
test() ->
    spawn(fun() -> proc_lib:hibernate(?MODULE, woke, [self()]) end).
