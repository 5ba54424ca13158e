%! run: case_clause_by_race:test/0
%! verdict: abnormal_exit
%% One of the two answers has no clause.
-module(case_clause_by_race).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> Self ! yes end),
    spawn(fun() -> Self ! no end),
    case receive X -> X end of
        yes -> ok
    end.
