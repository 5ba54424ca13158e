%! run: order_of_now:test/0
%! verdict: abnormal_exit
%% As of every clock, either of two readers may be the earlier.
-module(order_of_now).
-export([test/0]).
test() ->
    P = self(),
    A = spawn(fun() -> P ! {self(), erlang:now()} end),
    B = spawn(fun() -> P ! {self(), erlang:now()} end),
    TA = receive {A, T1} -> T1 end,
    TB = receive {B, T2} -> T2 end,
    true = TA < TB.
