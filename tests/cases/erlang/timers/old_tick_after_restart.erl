%! run: old_tick_after_restart:test/0
%! verdict: assertion
%% A restarted timer's first tick may already be in the mailbox and is taken for the second.
-module(old_tick_after_restart).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T1 = erlang:send_after(10, self(), {tick, 1}),
    erlang:cancel_timer(T1),
    erlang:send_after(10, self(), {tick, 2}),
    receive {tick, N} -> ?assertEqual(2, N) end.
