%! run: signal_to_the_dead:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 7, transitions = 6, depth = 6
%! stateless(optimal): holds, interleavings = 1
%% An exit signal to a dead process is dropped.
-module(signal_to_the_dead).
-export([test/0]).

test() ->
    {P, Ref} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Ref, process, P, normal} -> ok end,
    true = exit(P, crash).
