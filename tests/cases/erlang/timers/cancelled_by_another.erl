%! run: cancelled_by_another:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 17, transitions = 22, depth = 7
%! stateless(optimal): holds, interleavings = 2
%% Another process cancels the timer; whether in time or not, it knows which.
-module(cancelled_by_another).
-export([test/0]).

test() ->
    Self = self(),
    Ref = erlang:send_after(10, Self, tick),
    spawn(fun() -> Self ! {cancelled, erlang:cancel_timer(Ref)} end),
    receive
        {cancelled, false} -> receive tick -> ok end;
        {cancelled, N} when is_integer(N) -> ok
    end.
