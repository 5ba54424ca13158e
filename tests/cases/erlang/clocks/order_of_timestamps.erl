%! run: order_of_timestamps:test/0
%! verdict: abnormal_exit
%% As of every clock, either of two readers may be the earlier.
-module(order_of_timestamps).
-export([test/0]).
test() ->
    P = self(),
    A = spawn(fun() -> P ! {self(), os:timestamp()} end),
    B = spawn(fun() -> P ! {self(), os:timestamp()} end),
    TA = receive {A, T1} -> T1 end,
    TB = receive {B, T2} -> T2 end,
    true = TA < TB.
