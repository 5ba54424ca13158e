%! run: reuse_after_last_message:test/0
%! verdict: abnormal_exit
%% A goodbye message is sent while the process still lives and has its name.
-module(reuse_after_last_message).
-export([test/0]).

test() ->
    Self = self(),
    Old = spawn(fun() -> receive stop -> Self ! bye end end),
    register(server, Old),
    Old ! stop,
    receive bye -> ok end,
    register(server, self()).
