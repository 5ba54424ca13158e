%! run: give_away_dies_with_new_owner:test/0
%! verdict: abnormal_exit
%% The table goes with its new owner, who may end before the old one reads.
-module(give_away_dies_with_new_owner).
-export([test/0]).

test() ->
    P = spawn(fun() -> receive {'ETS-TRANSFER', _, _, _} -> ok end end),
    T = ets:new(t, [public]),
    ets:give_away(T, P, gift),
    ets:lookup(T, k).
