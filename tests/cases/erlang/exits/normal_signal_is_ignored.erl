%! run: normal_signal_is_ignored:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 11, transitions = 12, depth = 8
%! stateless(optimal): holds, interleavings = 1
%% exit(Pid, normal) does nothing to another process that does not trap.
-module(normal_signal_is_ignored).
-export([test/0]).

test() ->
    P = spawn(fun() -> receive {ask, From} -> From ! still_here end end),
    exit(P, normal),
    P ! {ask, self()},
    receive still_here -> ok end.
