%! run: long_timeouts_switched_off:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 8, transitions = 9, depth = 5
%! stateless(optimal): holds, interleavings = 1
%% With after_timeout 1000 the timeout of five seconds never fires, so the answer always comes.
-module(long_timeouts_switched_off).
-export([test/0]).
-concuerror_options([{after_timeout, 1000}]).

test() ->
    Self = self(),
    spawn(fun() -> Self ! answer end),
    receive answer -> ok after 5000 -> error(too_slow) end.
