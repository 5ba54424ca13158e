%! run: cancel_may_be_late:test/0
%! verdict: assertion
%% The timer may fire before it is cancelled, and its message is then in the mailbox.
-module(cancel_may_be_late).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Ref = erlang:send_after(10, self(), tick),
    erlang:cancel_timer(Ref),
    R = receive tick -> tick after 0 -> none end,
    ?assertEqual(none, R).
