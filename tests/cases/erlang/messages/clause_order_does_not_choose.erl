%! run: clause_order_does_not_choose:test/0
%! verdict: abnormal_exit
%% The oldest message wins, not the first clause: expecting b although a is older is wrong.
-module(clause_order_does_not_choose).
-export([test/0]).

test() ->
    self() ! a,
    self() ! b,
    b = receive b -> b; a -> a end.
