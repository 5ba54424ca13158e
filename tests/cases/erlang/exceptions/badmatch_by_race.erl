%! run: badmatch_by_race:test/0
%! verdict: abnormal_exit
%% The match holds only in one of two orders.
-module(badmatch_by_race).
-export([test/0]).

test() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 2]],
    1 = receive X -> X end.
