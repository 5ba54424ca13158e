%! run: start_timer_message:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 5, transitions = 4, depth = 4
%! stateless(optimal): holds, interleavings = 1
%% start_timer wraps the message with the timer's reference.
-module(start_timer_message).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Ref = erlang:start_timer(10, self(), tick),
    receive {timeout, Ref, M} -> ?assertEqual(tick, M) end.
