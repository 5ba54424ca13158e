%! run: last_write_of_four:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 5533, transitions = 17390, depth = 24
%! stateless(optimal): holds, interleavings = 24
%% Four writers of one variable and a look at the end: somebody was last.
-module(last_write_of_four).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    Self = self(),
    [spawn(fun() -> ets:insert(T, {x, N}), Self ! {done, N} end) || N <- [1, 2, 3, 4]],
    [receive {done, N} -> ok end || N <- [1, 2, 3, 4]],
    [{x, V}] = ets:lookup(T, x),
    ?assert(lists:member(V, [1, 2, 3, 4])).
