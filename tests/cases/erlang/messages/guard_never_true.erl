%! run: guard_never_true:test/0
%! verdict: deadlock
%% No message passes the guard: both wait in the mailbox, and the process with them.
-module(guard_never_true).
-export([test/0]).

test() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 2]],
    receive N when N > 10 -> N end.
