%! run: select_replace_compare_and_swap:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 88, transitions = 168, depth = 14
%! stateless(optimal): holds, interleavings = 4
%% select_replace as compare and swap: exactly one of two changes free to its name.
-module(select_replace_compare_and_swap).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {lock, free}),
    Self = self(),
    [spawn(fun() -> Self ! {swapped, ets:select_replace(T, [{{lock, free}, [], [{{lock, N}}]}])} end) || N <- [a, b]],
    L = [receive {swapped, K} -> K end || _ <- [1, 2]],
    ?assertEqual([0, 1], lists:sort(L)).
