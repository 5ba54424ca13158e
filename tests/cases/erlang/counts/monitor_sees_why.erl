%! run: monitor_sees_why:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 8, transitions = 7, depth = 7
%! stateless(optimal): holds, interleavings = 1
%% A monitor tells the reason whatever the order.
-module(monitor_sees_why).
-export([test/0]).

test() ->
    {Child, Ref} = spawn_monitor(fun() -> receive go -> ok end end),
    Child ! go,
    receive {'DOWN', Ref, process, Child, normal} -> ok end.
