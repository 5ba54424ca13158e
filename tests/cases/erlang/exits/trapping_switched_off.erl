%! run: trapping_switched_off:test/0
%! verdict: abnormal_exit
%% Between switching trapping off and the end of the work the signal is deadly.
-module(trapping_switched_off).
-export([test/0]).

test() ->
    Self = self(),
    P = spawn(fun() ->
        process_flag(trap_exit, true),
        Self ! ready,
        process_flag(trap_exit, false),
        receive {'EXIT', _, stop} -> ok after 10 -> ok end
    end),
    receive ready -> exit(P, stop) end.
