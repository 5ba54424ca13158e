%! run: give_away_to_the_dead:test/0
%! verdict: abnormal_exit
%% A table cannot be given to a process that may have ended.
-module(give_away_to_the_dead).
-export([test/0]).

test() ->
    P = spawn(fun() -> ok end),
    T = ets:new(t, []),
    ets:give_away(T, P, gift).
