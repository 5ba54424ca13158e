%! run: signal_after_trapping:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 11, transitions = 12, depth = 8
%! stateless(optimal): holds, interleavings = 1
%% Waiting until the process traps makes the signal a message.
-module(signal_after_trapping).
-export([test/0]).

test() ->
    Self = self(),
    P = spawn(fun() ->
        process_flag(trap_exit, true),
        Self ! ready,
        receive {'EXIT', Self, stop} -> ok end
    end),
    receive ready -> exit(P, stop) end.
