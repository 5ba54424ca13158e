%! run: guard_hole:test/0
%! verdict: deadlock
%% The guards leave out zero: if it was sent, it is never received and the loop never ends.
-module(guard_hole).
-export([test/0]).

test() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [0, 1]],
    collect(2).

collect(0) -> ok;
collect(K) ->
    receive
        N when N > 0 -> collect(K - 1);
        N when N < 0 -> collect(K - 1)
    end.
