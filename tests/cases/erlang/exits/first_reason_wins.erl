%! run: first_reason_wins:test/0
%! verdict: assertion
%% Two killers with two reasons: which one the process dies of is open.
-module(first_reason_wins).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-concuerror_options([{treat_as_normal, bye}, {treat_as_normal, quit}]).

test() ->
    {P, Ref} = spawn_monitor(fun() -> receive never -> ok end end),
    spawn(fun() -> exit(P, bye) end),
    spawn(fun() -> exit(P, quit) end),
    receive {'DOWN', Ref, process, P, R} -> ?assertEqual(bye, R) end.
