%! run: lost_alias_in_another_process:test/0
%! verdict: abnormal_exit
%% As with one process less: who takes back the alias may find it gone although its message was taken.
-module(lost_alias_in_another_process).
-export([test/0]).
-foresee_options([{treat_as_normal, log}]).

test() ->
    {P1, R1} = spawn_monitor(fun sender/0),
    {P2, R2} = spawn_monitor(fun taker/0),
    P1 ! {go, P2},
    P2 ! go,
    X1 = receive {'DOWN', R1, _, _, A} -> A end,
    X2 = receive {'DOWN', R2, _, _, B} -> B end,
    case {X1, X2} of {{log, false}, {log, {m, 1}}} -> exit(missed); _ -> ok end.

sender() ->
    P2 = receive {go, P} -> P end,
    A = monitor(process, P2, [{alias, demonitor}]),
    P2 ! {m, 1},
    exit({log, unalias(A)}).

taker() ->
    receive go -> ok end,
    receive {al, _} -> sent after 0 -> late end,
    exit({log, receive X -> X after 0 -> none end}).
