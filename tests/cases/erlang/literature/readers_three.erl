%! run: readers_three:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 1384, transitions = 4867, depth = 24
%! stateless(optimal): holds, interleavings = 192
%% One writer and three readers of one variable: each reader sees the old or the new value, eight ways in all.
-module(readers_three).
-export([test/0]).

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {x, 0}),
    Self = self(),
    spawn(fun() -> ets:insert(T, {x, 42}), Self ! done end),
    [spawn(fun() -> [{x, V}] = ets:lookup(T, x), Self ! done, true = V =:= 0 orelse V =:= 42 end) || _ <- [1, 2, 3]],
    [receive done -> ok end || _ <- [1, 2, 3, 4]].
