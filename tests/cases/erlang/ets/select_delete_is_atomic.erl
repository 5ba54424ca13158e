%! run: select_delete_is_atomic:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 68, transitions = 128, depth = 15
%! stateless(optimal): holds, interleavings = 4
%% Two collectors with select_delete never count an object twice.
-module(select_delete_is_atomic).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, [{1, old}, {2, old}, {3, new}]),
    Self = self(),
    [spawn(fun() -> Self ! {n, ets:select_delete(T, [{{'_', old}, [], [true]}])} end) || _ <- [1, 2]],
    L = [receive {n, N} -> N end || _ <- [1, 2]],
    ?assertEqual(2, lists:sum(L)),
    ?assertEqual([{3, new}], ets:tab2list(T)).
