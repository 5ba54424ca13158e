%! run: store_buffer:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 105, transitions = 196, depth = 16
%! stateless(optimal): holds, interleavings = 3
%% Each writes its own variable and reads the other's: with one memory for all, not both can read zero.
-module(store_buffer).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, [{x, 0}, {y, 0}]),
    Self = self(),
    [spawn(fun() -> ets:insert(T, {W, 1}), Self ! {R, ets:lookup_element(T, R, 2)} end) || {W, R} <- [{x, y}, {y, x}]],
    X = receive {x, A} -> A end,
    Y = receive {y, B} -> B end,
    ?assertNotEqual({0, 0}, {X, Y}).
