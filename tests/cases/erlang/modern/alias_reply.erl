%! run: alias_reply:test/0
%! verdict: holds
%% An answer to an active alias arrives.
-module(alias_reply).
-export([test/0]).

test() ->
    A = alias(),
    spawn(fun() -> A ! {A, answer} end),
    receive {A, answer} -> ok end,
    unalias(A).
