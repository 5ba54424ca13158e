%! run: counters_of_two:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 50, transitions = 93, depth = 14
%! stateless(optimal): holds, interleavings = 2
%% Different indices of one array do not disturb each other.
-module(counters_of_two).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    C = counters:new(2, [write_concurrency]),
    Self = self(),
    [spawn(fun() -> counters:add(C, I, 10 * I), Self ! done end) || I <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual([10, 20], [counters:get(C, I) || I <- [1, 2]]).
