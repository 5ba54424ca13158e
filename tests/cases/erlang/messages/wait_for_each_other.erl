%! run: wait_for_each_other:test/0
%! verdict: deadlock
%% Both wait for the other to speak first.
-module(wait_for_each_other).
-export([test/0]).

test() ->
    Self = self(),
    Child = spawn(fun() -> receive b -> Self ! a end end),
    receive a -> Child ! b end.
