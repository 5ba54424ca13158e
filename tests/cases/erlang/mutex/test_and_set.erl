%! run: test_and_set:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 150, transitions = 292, depth = 17
%! stateless(optimal): holds, interleavings = 8
%% Taking the lock with insert_new tests and sets in one step.
-module(test_and_set).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(shared, [public]),
    ets:insert(T, {inside, 0}),
    Self = self(),
    [spawn(fun() -> Self ! {saw, run(T)} end) || _ <- [1, 2]],
    L = [receive {saw, N} -> N end || _ <- [1, 2]],
    ?assert(lists:max(L) =< 1).

run(T) ->
    case ets:insert_new(T, {lock, self()}) of
        true ->
            N = ets:update_counter(T, inside, 1),
            ets:update_counter(T, inside, -1),
            ets:delete(T, lock),
            N;
        false -> 0
    end.
