%! run: broadcast_and_collect:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 228, transitions = 567, depth = 19
%! stateless(optimal): holds, interleavings = 1
%% One message to each of three, one answer from each.
-module(broadcast_and_collect).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Pids = [spawn(fun() -> receive {q, N} -> Self ! {self(), -N} end end) || _ <- [1, 2, 3]],
    [P ! {q, 5} || P <- Pids],
    [receive {P, A} -> ?assertEqual(-5, A) end || P <- Pids].
