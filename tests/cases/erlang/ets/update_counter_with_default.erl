%! run: update_counter_with_default:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 50, transitions = 93, depth = 14
%! stateless(optimal): holds, interleavings = 4
%% With a default the first to come makes the object.
-module(update_counter_with_default).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(counter, [public]),
    Self = self(),
    [spawn(fun() -> ets:update_counter(T, n, 1, {n, 10}), Self ! done end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual(12, ets:lookup_element(T, n, 2)).
