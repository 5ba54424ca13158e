%! run: update_counter_threshold:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 636, transitions = 1695, depth = 19
%! stateless(optimal): holds, interleavings = 36
%% A counter that stops at its limit gives at most two permits.
-module(update_counter_threshold).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(permits, [public]),
    ets:insert(T, {left, 2}),
    Self = self(),
    [spawn(fun() -> Self ! ets:update_counter(T, left, {2, -1, -1, -1}) end) || _ <- [1, 2, 3]],
    L = [receive N -> N end || _ <- [1, 2, 3]],
    ?assertEqual(2, length([N || N <- L, N >= 0])).
