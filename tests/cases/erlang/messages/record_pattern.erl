%! run: record_pattern:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 31, transitions = 55, depth = 9
%! stateless(optimal): holds, interleavings = 1
%% Messages as records, selected by a field.
-module(record_pattern).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-record(order, {id, item = none}).

test() ->
    Self = self(),
    [spawn(fun() -> Self ! #order{id = N, item = I} end) || {N, I} <- [{1, tea}, {2, milk}]],
    Milk = receive #order{id = 2} = O -> O#order.item end,
    Tea = receive #order{item = I} -> I end,
    ?assertEqual({tea, milk}, {Tea, Milk}).
