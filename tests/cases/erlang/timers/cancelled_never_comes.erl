%! run: cancelled_never_comes:test/0
%! verdict: deadlock
%% Waiting for a cancelled timer when cancelling came in time.
-module(cancelled_never_comes).
-export([test/0]).

test() ->
    Ref = erlang:send_after(10, self(), tick),
    erlang:cancel_timer(Ref),
    receive tick -> ok end.
