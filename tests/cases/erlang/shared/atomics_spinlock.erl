%! run: atomics_spinlock:test/0
%! verdict: assertion
%% A lock with get and put instead of compare_exchange lets both in.
-module(atomics_spinlock).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    A = atomics:new(2, []),
    Self = self(),
    [spawn(fun() ->
        case atomics:get(A, 1) of
            0 ->
                atomics:put(A, 1, 1),
                N = atomics:add_get(A, 2, 1),
                atomics:sub(A, 2, 1),
                atomics:put(A, 1, 0),
                Self ! {saw, N};
            1 -> Self ! {saw, 0}
        end
    end) || _ <- [1, 2]],
    L = [receive {saw, N} -> N end || _ <- [1, 2]],
    ?assert(lists:max(L) =< 1).
