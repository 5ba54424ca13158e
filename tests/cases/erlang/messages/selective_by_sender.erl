%! run: selective_by_sender:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 150, transitions = 364, depth = 13
%! stateless(optimal): holds, interleavings = 1
%% Receiving by sender gives one order whatever the arrival.
-module(selective_by_sender).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Pids = [spawn(fun() -> Self ! {self(), N * N} end) || N <- [1, 2, 3]],
    Squares = [receive {P, S} -> S end || P <- Pids],
    ?assertEqual([1, 4, 9], Squares).
