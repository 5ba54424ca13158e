%! run: delete_object_only_if_same:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 19, transitions = 25, depth = 11
%! stateless(optimal): holds, interleavings = 2
%% delete_object removes exactly what was seen: a newer value stays.
-module(delete_object_only_if_same).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {k, old}),
    Self = self(),
    spawn(fun() -> ets:insert(T, {k, new}), Self ! done end),
    ets:delete_object(T, {k, old}),
    receive done -> ok end,
    ?assertEqual([{k, new}], ets:lookup(T, k)).
