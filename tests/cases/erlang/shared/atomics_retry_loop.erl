%! run: atomics_retry_loop:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 70, transitions = 133, depth = 15
%! stateless(optimal): holds, interleavings = 8
%% A compare-and-swap loop: who loses reads again; nothing is lost.
-module(atomics_retry_loop).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    A = atomics:new(1, []),
    Self = self(),
    [spawn(fun() -> add(A, N), Self ! done end) || N <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual(3, atomics:get(A, 1)).

add(A, N) ->
    Old = atomics:get(A, 1),
    case atomics:compare_exchange(A, 1, Old, Old + N) of
        ok -> ok;
        _ -> add(A, N)
    end.
