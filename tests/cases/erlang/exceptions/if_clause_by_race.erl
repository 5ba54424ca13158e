%! run: if_clause_by_race:test/0
%! verdict: abnormal_exit
%% No branch of the if is true when the other is first.
-module(if_clause_by_race).
-export([test/0]).

test() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 2]],
    N = receive X -> X end,
    if N < 2 -> ok end.
