%! run: signal_before_trapping:test/0
%! verdict: abnormal_exit
%% The signal may come before the process traps exits.
-module(signal_before_trapping).
-export([test/0]).

test() ->
    P = spawn(fun() ->
        process_flag(trap_exit, true),
        receive {'EXIT', _, stop} -> ok end
    end),
    exit(P, stop).
