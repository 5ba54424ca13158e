%! run: normal_signal_trapped:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 13, transitions = 14, depth = 10
%! stateless(optimal): holds, interleavings = 1
%% A trapping process sees even the normal signal.
-module(normal_signal_trapped).
-export([test/0]).

test() ->
    Self = self(),
    P = spawn(fun() ->
        process_flag(trap_exit, true),
        Self ! ready,
        receive {'EXIT', Self, normal} -> Self ! seen end
    end),
    receive ready -> exit(P, normal) end,
    receive seen -> ok end.
