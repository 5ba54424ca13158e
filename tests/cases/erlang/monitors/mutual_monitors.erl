%! run: mutual_monitors:test/0
%! verdict: deadlock
%% Two processes each wait for the end of the other.
-module(mutual_monitors).
-export([test/0]).

test() ->
    Self = self(),
    P = spawn(fun() ->
        R = monitor(process, Self),
        receive {'DOWN', R, process, Self, _} -> ok end
    end),
    Ref = monitor(process, P),
    receive {'DOWN', Ref, process, P, _} -> ok end.
