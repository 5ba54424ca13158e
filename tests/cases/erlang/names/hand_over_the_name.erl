%! run: hand_over_the_name:test/0
%! verdict: abnormal_exit
%% Between unregister and register nobody has the name, and a client that writes then fails.
-module(hand_over_the_name).
-export([test/0]).

test() ->
    Self = self(),
    register(service, Self),
    spawn(fun() -> service ! request end),
    New = spawn(fun() -> receive stop -> ok end end),
    unregister(service),
    register(service, New),
    New ! stop.
