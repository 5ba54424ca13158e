%! run: bakery_without_choosing:test/0
%! verdict: assertion
%% The bakery without the choosing flags: one reads the other's number before it is written and both have the same.
-module(bakery_without_choosing).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(shared, [public]),
    ets:insert(T, [{{number, 0}, 0}, {{number, 1}, 0}, {inside, 0}]),
    Self = self(),
    [spawn(fun() -> Self ! {saw, run(T, Me, 1 - Me)} end) || Me <- [0, 1]],
    L = [receive {saw, N} -> N end || _ <- [1, 2]],
    ?assert(lists:max(L) =< 1).

run(T, Me, Other) ->
    Mine = 1 + ets:lookup_element(T, {number, Other}, 2),
    ets:insert(T, {{number, Me}, Mine}),
    Inside = case ets:lookup_element(T, {number, Other}, 2) of
        0 -> critical(T);
        Theirs when {Mine, Me} < {Theirs, Other} -> critical(T);
        _ -> 0
    end,
    ets:insert(T, {{number, Me}, 0}),
    Inside.

critical(T) ->
    N = ets:update_counter(T, inside, 1),
    ets:update_counter(T, inside, -1),
    N.
