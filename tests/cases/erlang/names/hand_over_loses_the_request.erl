%! run: hand_over_loses_the_request:test/0
%! verdict: deadlock
%% A request sent to the old owner of the name is not seen by the new one.
-module(hand_over_loses_the_request).
-export([test/0]).

test() ->
    register(service, self()),
    New = spawn(fun() -> receive request -> receive stop -> ok end end end),
    spawn(fun() -> case whereis(service) of undefined -> New; P -> P end ! request end),
    unregister(service),
    register(service, New),
    New ! stop.
