%! run: function_clause_by_race:test/0
%! verdict: abnormal_exit
%% The second function clause is missing for the value that a timeout gives.
-module(function_clause_by_race).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> Self ! 1 end),
    handle(receive N -> N after 10 -> timeout end).

handle(N) when is_integer(N) -> ok.
