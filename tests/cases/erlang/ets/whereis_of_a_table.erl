%! run: whereis_of_a_table:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 8, transitions = 7, depth = 7
%! stateless(optimal): holds, interleavings = 1
%% ets:whereis gives the table behind a name, or undefined.
-module(whereis_of_a_table).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    ?assertEqual(undefined, ets:whereis(tab)),
    ets:new(tab, [named_table]),
    T = ets:whereis(tab),
    ets:insert(tab, {k, 1}),
    ?assertEqual([{k, 1}], ets:lookup(T, k)).
