%! run: unalias_races_with_the_end:test/0
%! verdict: abnormal_exit
%% An alias that ends with its monitor may be gone because the other has ended, or still be there.
-module(unalias_races_with_the_end).
-export([test/0]).

test() ->
    P = spawn(fun() -> receive go -> ok end end),
    A = monitor(process, P, [{alias, demonitor}]),
    P ! go,
    case unalias(A) of true -> ok; false -> exit(gone) end.
