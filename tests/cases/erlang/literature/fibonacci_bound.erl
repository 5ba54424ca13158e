%! run: fibonacci_bound:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 916, transitions = 1824, depth = 26
%! stateless(optimal): holds, interleavings = 38
%% Two processes add each other's variable to their own twice; the sum never exceeds the Fibonacci number.
-module(fibonacci_bound).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, [{i, 1}, {j, 1}]),
    Self = self(),
    [spawn(fun() -> add(T, X, Y, 2), Self ! done end) || {X, Y} <- [{i, j}, {j, i}]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assert(ets:lookup_element(T, i, 2) =< 8),
    ?assert(ets:lookup_element(T, j, 2) =< 8).

add(_, _, _, 0) -> ok;
add(T, X, Y, N) ->
    A = ets:lookup_element(T, X, 2),
    B = ets:lookup_element(T, Y, 2),
    ets:insert(T, {X, A + B}),
    add(T, X, Y, N - 1).
