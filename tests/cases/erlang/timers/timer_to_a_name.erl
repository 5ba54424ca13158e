%! run: timer_to_a_name:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 5, transitions = 5, depth = 3
%! stateless(optimal): holds, interleavings = 1
%% A timer to a name that nobody has when it fires is dropped too.
-module(timer_to_a_name).
-export([test/0]).

test() ->
    erlang:send_after(10, nobody, tick),
    ok.
