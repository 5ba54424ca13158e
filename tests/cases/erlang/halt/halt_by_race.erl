%! run: halt_by_race:test/0
%! verdict: abnormal_halt
%% Only in one of two orders does the program halt with an error.
-module(halt_by_race).
-export([test/0]).

test() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [0, 1]],
    halt(receive N -> N end).
