%! run: two_halts:test/0
%! verdict: abnormal_halt
%% Two processes halt with two statuses, and the bad one may be first.
-module(two_halts).
-export([test/0]).

test() ->
    [spawn(fun() -> halt(N) end) || N <- [0, 3]].
