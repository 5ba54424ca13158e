%! run: alias_for_one_reply:test/0
%! verdict: deadlock
%% An alias made for one reply is gone after the first; the second answer never comes.
-module(alias_for_one_reply).
-export([test/0]).

test() ->
    A = alias([reply]),
    [spawn(fun() -> A ! {A, N} end) || N <- [1, 2]],
    receive {A, _} -> ok end,
    receive {A, _} -> ok end.
