%! run: sleep_then_wait:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 13, transitions = 17, depth = 7
%! stateless(optimal): holds, interleavings = 1
%% Sleeping is harmless when a real wait follows.
-module(sleep_then_wait).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> receive after 50 -> ok end, Self ! ready end),
    timer:sleep(100),
    receive ready -> ok end.
