%! run: lost_update:test/0
%! verdict: assertion
%! stateful(bfs): assertion, states = 91, transitions = 164, depth = 14
%! stateless(optimal): assertion, interleavings = 3
%% Two processes read a counter in a table and write it back: one increment may be lost.
-module(lost_update).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {n, 0}),
    Main = self(),
    Add = fun() -> [{n, N}] = ets:lookup(T, n), ets:insert(T, {n, N + 1}), Main ! done end,
    spawn(Add), spawn(Add),
    receive done -> ok end, receive done -> ok end,
    ?assertEqual([{n, 2}], ets:lookup(T, n)).
