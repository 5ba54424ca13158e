%! run: bakery:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 608, transitions = 1208, depth = 27
%! stateless(optimal): holds, interleavings = 70
%% Lamport's bakery for two: take a number larger than all, and let smaller numbers go first.
-module(bakery).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(shared, [public]),
    ets:insert(T, [{{choosing, 0}, no}, {{choosing, 1}, no}, {{number, 0}, 0}, {{number, 1}, 0}, {inside, 0}]),
    Self = self(),
    [spawn(fun() -> Self ! {saw, run(T, Me, 1 - Me)} end) || Me <- [0, 1]],
    L = [receive {saw, N} -> N end || _ <- [1, 2]],
    ?assert(lists:max(L) =< 1).

run(T, Me, Other) ->
    ets:insert(T, {{choosing, Me}, yes}),
    Mine = 1 + ets:lookup_element(T, {number, Other}, 2),
    ets:insert(T, {{number, Me}, Mine}),
    ets:insert(T, {{choosing, Me}, no}),
    Inside = case ets:lookup_element(T, {choosing, Other}, 2) of
        yes -> 0;
        no ->
            case ets:lookup_element(T, {number, Other}, 2) of
                0 -> critical(T);
                Theirs when {Mine, Me} < {Theirs, Other} -> critical(T);
                _ -> 0
            end
    end,
    ets:insert(T, {{number, Me}, 0}),
    Inside.

critical(T) ->
    N = ets:update_counter(T, inside, 1),
    ets:update_counter(T, inside, -1),
    N.
