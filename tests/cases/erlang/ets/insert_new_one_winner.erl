%! run: insert_new_one_winner:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 87, transitions = 167, depth = 13
%! stateless(optimal): holds, interleavings = 4
%% insert_new tests and writes in one step: exactly one wins.
-module(insert_new_one_winner).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(leader, [public]),
    Self = self(),
    [spawn(fun() -> Self ! {won, ets:insert_new(T, {leader, N})} end) || N <- [1, 2]],
    L = [receive {won, W} -> W end || _ <- [1, 2]],
    ?assertEqual([false, true], lists:sort(L)).
