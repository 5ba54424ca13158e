%! run: update_counter_is_atomic:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 207, transitions = 542, depth = 20
%! stateless(optimal): holds, interleavings = 36
%% update_counter reads and writes in one step.
-module(update_counter_is_atomic).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(counter, [public]),
    ets:insert(T, {n, 0}),
    Self = self(),
    [spawn(fun() -> ets:update_counter(T, n, 1), Self ! done end) || _ <- [1, 2, 3]],
    [receive done -> ok end || _ <- [1, 2, 3]],
    ?assertEqual([{n, 3}], ets:lookup(T, n)).
