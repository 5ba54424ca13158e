%! run: queue_pop_retries:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 88, transitions = 168, depth = 16
%! stateless(optimal): holds, interleavings = 8
%% A consumer whose key was taken by another tries the next one.
-module(queue_pop_retries).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(queue, [ordered_set, public]),
    ets:insert(T, [{1, a}, {2, b}]),
    Self = self(),
    [spawn(fun() -> Self ! {got, pop(T)} end) || _ <- [1, 2]],
    L = [receive {got, V} -> V end || _ <- [1, 2]],
    ?assertEqual([a, b], lists:sort(L)).

pop(T) ->
    K = ets:first(T),
    case ets:take(T, K) of
        [{K, V}] -> V;
        [] -> pop(T)
    end.
