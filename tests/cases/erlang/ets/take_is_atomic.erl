%! run: take_is_atomic:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 64, transitions = 120, depth = 14
%! stateless(optimal): holds, interleavings = 4
%% take gives the object to one of two and removes it at once.
-module(take_is_atomic).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {job, 1}),
    Self = self(),
    [spawn(fun() -> Self ! {took, ets:take(T, job)} end) || _ <- [1, 2]],
    L = [receive {took, X} -> X end || _ <- [1, 2]],
    ?assertEqual([[], [{job, 1}]], lists:sort(L)).
