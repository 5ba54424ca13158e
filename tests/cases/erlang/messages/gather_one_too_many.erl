%! run: gather_one_too_many:test/0
%! verdict: deadlock
%% Two children, three messages expected.
-module(gather_one_too_many).
-export([test/0]).

test() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 2]],
    [receive X -> X end || _ <- [1, 2, 3]].
