%! run: timer_arrives:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 5, transitions = 4, depth = 4
%! stateless(optimal): holds, interleavings = 1
%% A timer's message comes some time.
-module(timer_arrives).
-export([test/0]).

test() ->
    erlang:send_after(10, self(), tick),
    receive tick -> ok end.
