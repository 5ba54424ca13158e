%! run: walk_ordered:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 21, transitions = 29, depth = 11
%! stateless(optimal): holds, interleavings = 3
%% In an ordered set the next key is defined even when the present one is gone.
-module(walk_ordered).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [ordered_set, public]),
    ets:insert(T, [{1}, {2}]),
    Self = self(),
    spawn(fun() -> ets:delete(T, 1), Self ! done end),
    ?assert(lists:member(ets:first(T), [1, 2])),
    ?assertEqual(2, ets:next(T, 1)),
    receive done -> ok end.
