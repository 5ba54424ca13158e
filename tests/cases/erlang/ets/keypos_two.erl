%! run: keypos_two:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 79, transitions = 151, depth = 14
%! stateless(optimal): holds, interleavings = 4
%% Objects are found by the element that keypos says.
-module(keypos_two).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public, {keypos, 2}]),
    Self = self(),
    [spawn(fun() -> ets:insert(T, {N, key}), Self ! done end) || N <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    [{N, key}] = ets:lookup(T, key),
    ?assert(lists:member(N, [1, 2])).
