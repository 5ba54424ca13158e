%! run: register_a_dead_pid:test/0
%! verdict: abnormal_exit
%% The process may have ended before it gets its name: badarg.
-module(register_a_dead_pid).
-export([test/0]).

test() ->
    P = spawn(fun() -> ok end),
    register(brief, P).
