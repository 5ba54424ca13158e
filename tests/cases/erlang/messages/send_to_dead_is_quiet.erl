%! run: send_to_dead_is_quiet:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 7, transitions = 6, depth = 6
%! stateless(optimal): holds, interleavings = 1
%% A message to a process that has ended is dropped without a word.
-module(send_to_dead_is_quiet).
-export([test/0]).

test() ->
    {Pid, Ref} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Ref, process, Pid, normal} -> ok end,
    hello = (Pid ! hello),
    ok.
