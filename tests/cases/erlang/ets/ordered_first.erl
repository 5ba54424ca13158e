%! run: ordered_first:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 58, transitions = 109, depth = 16
%! stateless(optimal): holds, interleavings = 2
%% In an ordered set the first key is the smallest, whoever wrote first.
-module(ordered_first).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [ordered_set, public]),
    Self = self(),
    [spawn(fun() -> ets:insert(T, {K}), Self ! done end) || K <- [2, 1]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual([1, 2], [ets:first(T), ets:next(T, 1)]),
    ?assertEqual('$end_of_table', ets:next(T, 2)).
