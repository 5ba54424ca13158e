%! run: two_monitors_two_messages:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 11, transitions = 10, depth = 10
%! stateless(optimal): holds, interleavings = 1
%% Monitors stack: two of them give two messages.
-module(two_monitors_two_messages).
-export([test/0]).

test() ->
    P = spawn(fun() -> receive go -> ok end end),
    R1 = monitor(process, P),
    R2 = monitor(process, P),
    P ! go,
    receive {'DOWN', R1, process, P, normal} -> ok end,
    receive {'DOWN', R2, process, P, normal} -> ok end.
