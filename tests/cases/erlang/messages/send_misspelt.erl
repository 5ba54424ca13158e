%! run: send_misspelt:test/0
%! verdict: deadlock
%% The child sends another atom than the one its parent waits for, so the parent waits for ever.
-module(send_misspelt).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> Self ! hullo end),
    receive hello -> ok end.
