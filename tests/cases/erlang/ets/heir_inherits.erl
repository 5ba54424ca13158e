%! run: heir_inherits:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 10, transitions = 9, depth = 9
%! stateless(optimal): holds, interleavings = 1
%% When the owner ends the heir gets the table and a message.
-module(heir_inherits).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Owner = spawn(fun() ->
        T = ets:new(t, [public, {heir, Self, legacy}]),
        ets:insert(T, {k, v})
    end),
    receive {'ETS-TRANSFER', T, Owner, legacy} -> ?assertEqual([{k, v}], ets:lookup(T, k)) end.
