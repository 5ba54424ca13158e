%! run: rename_after_use:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 18, transitions = 23, depth = 11
%! stateless(optimal): holds, interleavings = 1
%% Renamed when nobody uses the old name any more.
-module(rename_after_use).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    ets:new(draft, [named_table, public]),
    Self = self(),
    spawn(fun() -> ets:insert(draft, {k, v}), Self ! done end),
    receive done -> final = ets:rename(draft, final) end,
    ?assertEqual([{k, v}], ets:lookup(final, k)),
    ?assertEqual(undefined, ets:whereis(draft)).
