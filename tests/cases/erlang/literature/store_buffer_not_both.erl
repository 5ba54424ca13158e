%! run: store_buffer_not_both:test/0
%! verdict: assertion
%% Reading one on both sides is quite possible.
-module(store_buffer_not_both).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, [{x, 0}, {y, 0}]),
    Self = self(),
    [spawn(fun() -> ets:insert(T, {W, 1}), Self ! {R, ets:lookup_element(T, R, 2)} end) || {W, R} <- [{x, y}, {y, x}]],
    X = receive {x, A} -> A end,
    Y = receive {y, B} -> B end,
    ?assertNotEqual({1, 1}, {X, Y}).
