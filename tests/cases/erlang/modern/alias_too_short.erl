%! run: alias_too_short:test/0
%! verdict: deadlock
%% The alias is taken back before the answer it is for.
-module(alias_too_short).
-export([test/0]).

test() ->
    A = alias(),
    spawn(fun() -> A ! {A, answer} end),
    unalias(A),
    receive {A, answer} -> ok end.
