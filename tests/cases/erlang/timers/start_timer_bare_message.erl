%! run: start_timer_bare_message:test/0
%! verdict: deadlock
%% Waiting for the bare message of a start_timer: it comes wrapped.
-module(start_timer_bare_message).
-export([test/0]).

test() ->
    erlang:start_timer(10, self(), tick),
    receive tick -> ok end.
