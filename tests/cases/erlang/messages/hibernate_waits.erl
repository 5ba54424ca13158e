%! run: hibernate_waits:test/0
%! verdict: holds
%% hibernate/3 waits for a message and leaves it in the mailbox.
-module(hibernate_waits).
-export([test/0, woke/1]).
woke(P) -> M = receive Any -> Any after 0 -> none end, P ! {woke, M}.
test() ->
    Me = self(),
    A = spawn(fun() -> erlang:hibernate(?MODULE, woke, [Me]) end),
    A ! wake,
    receive {woke, M} -> wake = M end.
