%! run: two_want_one_name:test/0
%! verdict: abnormal_exit
%% Two processes register the same name; while the first lives the second fails with badarg.
-module(two_want_one_name).
-export([test/0]).

test() ->
    [spawn(fun() -> register(king, self()), receive after 10 -> ok end end) || _ <- [1, 2]].
