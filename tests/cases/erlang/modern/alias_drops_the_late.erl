%! run: alias_drops_the_late:test/0
%! verdict: holds
%% After unalias a late answer is dropped, so the mailbox stays clean.
-module(alias_drops_the_late).
-export([test/0]).

test() ->
    A = alias(),
    Self = self(),
    P = spawn(fun() -> receive go -> A ! {A, answer}, Self ! sent end end),
    unalias(A),
    P ! go,
    receive sent -> ok end,
    receive {A, answer} -> error(late) after 0 -> ok end.
