%! run: timer_to_another:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 11, transitions = 12, depth = 8
%! stateless(optimal): holds, interleavings = 1
%% A timer may write to another process.
-module(timer_to_another).
-export([test/0]).

test() ->
    Self = self(),
    P = spawn(fun() -> receive tick -> Self ! ticked end end),
    erlang:send_after(10, P, tick),
    receive ticked -> ok end.
