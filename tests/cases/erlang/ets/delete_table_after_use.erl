%! run: delete_table_after_use:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 14, transitions = 17, depth = 9
%! stateless(optimal): holds, interleavings = 1
%% The table is deleted when the child has said that it is done; then nothing knows it.
-module(delete_table_after_use).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    Self = self(),
    spawn(fun() -> ets:insert(T, {k, v}), Self ! done end),
    receive done -> true = ets:delete(T) end,
    ?assertEqual(undefined, ets:info(T)).
