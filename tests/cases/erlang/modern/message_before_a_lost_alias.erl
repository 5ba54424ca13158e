%! run: message_before_a_lost_alias:test/0
%! verdict: abnormal_exit
%% The process takes the message, ends, and with it goes the alias: the two may come together.
-module(message_before_a_lost_alias).
-export([test/0]).

test() ->
    {P, R} = spawn_monitor(fun() ->
        receive go -> ok end,
        exit({got, receive M -> M after 0 -> none end})
    end),
    P ! go,
    A = monitor(process, P, [{alias, demonitor}]),
    P ! m,
    U = unalias(A),
    receive {'DOWN', R, _, _, {got, X}} -> ok end,
    case {U, X} of {false, m} -> exit(missed); _ -> ok end.
-foresee_options([{treat_as_normal, got}]).
