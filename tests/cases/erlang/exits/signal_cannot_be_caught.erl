%! run: signal_cannot_be_caught:test/0
%! verdict: abnormal_exit
%% try around a receive does not help against an exit signal from outside.
-module(signal_cannot_be_caught).
-export([test/0]).

test() ->
    P = spawn(fun() -> try receive never -> ok end catch _:_ -> ok end end),
    exit(P, stop).
