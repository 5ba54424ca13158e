%! run: circle_of_three:test/0
%! verdict: deadlock
%% Three processes pass a baton around, but each waits before it passes on and nobody starts.
-module(circle_of_three).
-export([test/0]).

test() ->
    Self = self(),
    B = spawn(fun() -> receive baton -> Self ! baton end end),
    A = spawn(fun() -> receive baton -> B ! baton end end),
    receive baton -> A ! baton end.
