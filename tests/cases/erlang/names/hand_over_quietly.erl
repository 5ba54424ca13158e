%! run: hand_over_quietly:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 73, transitions = 139, depth = 12
%! stateless(optimal): holds, interleavings = 4
%% The client looks the name up and does without when it is not there.
-module(hand_over_quietly).
-export([test/0]).

test() ->
    Self = self(),
    register(service, Self),
    spawn(fun() -> case whereis(service) of undefined -> ok; P -> P ! request end end),
    New = spawn(fun() -> receive stop -> ok end end),
    unregister(service),
    register(service, New),
    New ! stop.
