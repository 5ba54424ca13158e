%! run: hibernate_woken_by_another:test/0
%! verdict: abnormal_exit
%% A message that the process does not look for wakes it, and then it gives up waiting for the one that has not come.
-module(hibernate_woken_by_another).
-export([test/0, woke/1]).
woke(P) -> P ! {woke, receive wanted -> wanted after 0 -> none end}.
test() ->
    Me = self(),
    A = spawn(fun() -> proc_lib:hibernate(?MODULE, woke, [Me]) end),
    spawn(fun() -> A ! wanted end),
    A ! other,
    receive {woke, M} -> wanted = M end.
