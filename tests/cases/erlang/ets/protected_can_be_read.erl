%! run: protected_can_be_read:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 13, transitions = 15, depth = 9
%! stateless(optimal): holds, interleavings = 1
%% Anybody may read a protected table.
-module(protected_can_be_read).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [protected]),
    ets:insert(T, {k, v}),
    Self = self(),
    spawn(fun() -> Self ! ets:lookup(T, k) end),
    receive L -> ?assertEqual([{k, v}], L) end.
