%! run: readers_see_the_writer:test/0
%! verdict: assertion
%% The reader that expects the new value may be early.
-module(readers_see_the_writer).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {x, 0}),
    Self = self(),
    spawn(fun() -> ets:insert(T, {x, 42}), Self ! written end),
    [spawn(fun() -> [{x, V}] = ets:lookup(T, x), Self ! {read, V} end) || _ <- [1, 2]],
    receive written -> ok end,
    L = [receive {read, V} -> V end || _ <- [1, 2]],
    ?assertEqual([42, 42], L).
