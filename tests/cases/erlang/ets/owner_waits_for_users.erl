%! run: owner_waits_for_users:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 15, transitions = 17, depth = 11
%! stateless(optimal): holds, interleavings = 1
%% The owner stays until the user is done.
-module(owner_waits_for_users).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Owner = spawn(fun() -> ets:new(shared, [named_table, public]), Self ! ready, receive stop -> ok end end),
    receive ready -> ok end,
    ets:insert(shared, {k, v}),
    ?assertEqual([{k, v}], ets:lookup(shared, k)),
    Owner ! stop.
