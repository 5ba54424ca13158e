%! run: answer_races_with_demonitor:test/0
%! verdict: abnormal_exit
%% An alias that ends with its monitor or with an answer: taking the monitor back with a flush is too late for an answer
%% that has come, and keeps out one that has not.
-module(answer_races_with_demonitor).
-export([test/0]).

test() ->
    P = spawn(fun() -> receive A -> A ! answer end end),
    A = monitor(process, P, [{alias, reply_demonitor}]),
    P ! A,
    demonitor(A, [flush]),
    receive answer -> exit(answered) after 0 -> ok end.
