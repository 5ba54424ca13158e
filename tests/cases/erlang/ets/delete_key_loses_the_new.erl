%! run: delete_key_loses_the_new:test/0
%! verdict: assertion
%% Deleting by key may remove the new value that nobody has seen.
-module(delete_key_loses_the_new).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {k, old}),
    Self = self(),
    spawn(fun() -> ets:insert(T, {k, new}), Self ! done end),
    ets:delete(T, k),
    receive done -> ok end,
    ?assertEqual([{k, new}], ets:lookup(T, k)).
