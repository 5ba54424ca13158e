%! run: message_then_signal:test/0
%! verdict: deadlock
%% The message is delivered before the signal, but the process may be ended before it answers.
-module(message_then_signal).
-export([test/0]).
-concuerror_options([{treat_as_normal, bye}]).

test() ->
    P = spawn(fun() -> receive {ask, From} -> From ! answer end end),
    P ! {ask, self()},
    exit(P, bye),
    receive answer -> ok end.
