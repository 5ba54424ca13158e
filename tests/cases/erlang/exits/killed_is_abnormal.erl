%! run: killed_is_abnormal:test/0
%! verdict: abnormal_exit
%% A killed process did not end normally.
-module(killed_is_abnormal).
-export([test/0]).

test() ->
    P = spawn(fun() -> receive never -> ok end end),
    exit(P, kill).
