%! run: update_element_leaves_the_rest:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 51, transitions = 94, depth = 15
%! stateless(optimal): holds, interleavings = 4
%% Two writers of different elements of one object do not undo each other.
-module(update_element_leaves_the_rest).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {k, 0, 0}),
    Self = self(),
    [spawn(fun() -> ets:update_element(T, k, {I, 1}), Self ! done end) || I <- [2, 3]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual([{k, 1, 1}], ets:lookup(T, k)).
