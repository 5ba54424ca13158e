%! run: reuse_after_down:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 12, transitions = 11, depth = 11
%! stateless(optimal): holds, interleavings = 1
%% Waiting for DOWN makes sure that the name is free.
-module(reuse_after_down).
-export([test/0]).

test() ->
    {Old, Ref} = spawn_monitor(fun() -> receive stop -> ok end end),
    register(server, Old),
    Old ! stop,
    receive {'DOWN', Ref, process, Old, normal} -> ok end,
    register(server, self()).
