%! run: read_timer_assumed:test/0
%! verdict: assertion
%% The timer may have fired when it is read.
-module(read_timer_assumed).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Ref = erlang:send_after(10, self(), tick),
    R = erlang:read_timer(Ref),
    receive tick -> ok end,
    ?assert(is_integer(R)).
