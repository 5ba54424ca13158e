%! run: cancel_and_flush:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 7, transitions = 7, depth = 4
%! stateless(optimal): holds, interleavings = 2
%% If cancelling came too late the message is taken out.
-module(cancel_and_flush).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Ref = erlang:send_after(10, self(), tick),
    case erlang:cancel_timer(Ref) of
        false -> receive tick -> ok end;
        Left -> ?assert(is_integer(Left))
    end,
    receive tick -> error(left) after 0 -> ok end.
