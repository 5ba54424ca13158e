%! run: two_timers_order_assumed:test/0
%! verdict: assertion
%% A checker that lets timers fire at any time finds the longer one first; so may a busy machine with equal times.
-module(two_timers_order_assumed).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    erlang:send_after(10, self(), a),
    erlang:send_after(10, self(), b),
    First = receive X -> X end,
    receive _ -> ok end,
    ?assertEqual(a, First).
