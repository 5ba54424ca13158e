%! run: timer_to_the_dead:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 11, transitions = 16, depth = 5
%! stateless(optimal): holds, interleavings = 1
%% A timer for a process that has ended is dropped.
-module(timer_to_the_dead).
-export([test/0]).

test() ->
    P = spawn(fun() -> ok end),
    erlang:send_after(10, P, tick).
