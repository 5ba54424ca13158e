%! run: reuse_after_stop_signal:test/0
%! verdict: abnormal_exit
%% Telling the old server to stop does not wait for its end: its name may still be taken.
-module(reuse_after_stop_signal).
-export([test/0]).

test() ->
    Old = spawn(fun() -> receive stop -> ok end end),
    register(server, Old),
    Old ! stop,
    register(server, self()).
