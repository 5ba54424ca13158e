%! run: hibernate_two_messages:test/0
%! verdict: abnormal_exit
%% Either of two messages may be the one that wakes it and the first it takes.
-module(hibernate_two_messages).
-export([test/0, woke/1]).
woke(P) -> M = receive Any -> Any after 0 -> none end, P ! {woke, M}.
test() ->
    Me = self(),
    A = spawn(fun() -> erlang:hibernate(?MODULE, woke, [Me]) end),
    spawn(fun() -> A ! other end),
    A ! wake,
    receive {woke, M} -> wake = M end.
