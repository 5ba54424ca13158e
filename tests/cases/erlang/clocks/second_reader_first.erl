%! run: second_reader_first:test/0
%! verdict: abnormal_exit
%% Two read the clock: the second may be the earlier.
-module(second_reader_first).
-export([test/0]).
test() ->
    P = self(),
    A = spawn(fun() -> P ! {self(), erlang:monotonic_time()} end),
    B = spawn(fun() -> P ! {self(), erlang:monotonic_time()} end),
    TA = receive {A, T1} -> T1 end,
    TB = receive {B, T2} -> T2 end,
    false = TA > TB.
