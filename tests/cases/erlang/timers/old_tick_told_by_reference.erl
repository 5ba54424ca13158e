%! run: old_tick_told_by_reference:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 11, transitions = 11, depth = 6
%! stateless(optimal): holds, interleavings = 2
%% With start_timer the reference in the message tells old ticks from new.
-module(old_tick_told_by_reference).
-export([test/0]).

test() ->
    T1 = erlang:start_timer(10, self(), tick),
    erlang:cancel_timer(T1),
    T2 = erlang:start_timer(10, self(), tick),
    receive {timeout, T2, tick} -> ok end.
