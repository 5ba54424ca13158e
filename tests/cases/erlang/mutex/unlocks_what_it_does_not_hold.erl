%! run: unlocks_what_it_does_not_hold:test/0
%! verdict: assertion
%% Whoever fails to take the lock removes it all the same and lets a third one in.
-module(unlocks_what_it_does_not_hold).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(shared, [public]),
    ets:insert(T, {inside, 0}),
    Self = self(),
    [spawn(fun() -> Self ! {saw, run(T)} end) || _ <- [1, 2, 3]],
    L = [receive {saw, N} -> N end || _ <- [1, 2, 3]],
    ?assert(lists:max(L) =< 1).

run(T) ->
    N = case ets:insert_new(T, {lock, self()}) of
        true ->
            Inside = ets:update_counter(T, inside, 1),
            ets:update_counter(T, inside, -1),
            Inside;
        false -> 0
    end,
    ets:delete(T, lock),
    N.
