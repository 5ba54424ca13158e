%! run: never_the_same:test/0
%! verdict: holds
%! stateless(optimal): holds, interleavings = 2
%% No two reads are equal, whoever reads.
-module(never_the_same).
-export([test/0]).
test() ->
    P = self(),
    A = spawn(fun() -> P ! {self(), erlang:monotonic_time()} end),
    B = spawn(fun() -> P ! {self(), erlang:monotonic_time()} end),
    TA = receive {A, T1} -> T1 end,
    TB = receive {B, T2} -> T2 end,
    true = TA =/= TB.
