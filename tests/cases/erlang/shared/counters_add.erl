%! run: counters_add:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 46, transitions = 85, depth = 13
%! stateless(optimal): holds, interleavings = 2
%% counters:add is atomic.
-module(counters_add).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    C = counters:new(1, []),
    Self = self(),
    [spawn(fun() -> counters:add(C, 1, N), Self ! done end) || N <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual(3, counters:get(C, 1)).
