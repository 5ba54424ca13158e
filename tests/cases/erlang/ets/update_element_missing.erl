%! run: update_element_missing:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 27, transitions = 37, depth = 10
%! stateless(optimal): holds, interleavings = 2
%% update_element says false when the key is not there, and nothing is made.
-module(update_element_missing).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    Self = self(),
    spawn(fun() -> ets:insert(T, {k, 1, x}), Self ! done end),
    Done = ets:update_element(T, k, {3, y}),
    receive done -> ok end,
    ?assertEqual([{k, 1, case Done of true -> y; false -> x end}], ets:lookup(T, k)).
