%! run: fold_over_changes:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 20, transitions = 26, depth = 10
%! stateless(optimal): holds, interleavings = 2
%% A fold over an ordered set sees the old or the new of each object, and every object.
-module(fold_over_changes).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [ordered_set, public]),
    ets:insert(T, [{1, 0}, {2, 0}]),
    Self = self(),
    spawn(fun() -> ets:insert(T, {2, 10}), Self ! done end),
    Sum = ets:foldl(fun({_, V}, A) -> A + V end, 0, T),
    receive done -> ok end,
    ?assert(Sum =:= 0 orelse Sum =:= 10).
