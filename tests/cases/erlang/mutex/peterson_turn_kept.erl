%! run: peterson_turn_kept:test/0
%! verdict: assertion
%% Peterson's algorithm where each keeps the turn for itself instead of giving it away.
-module(peterson_turn_kept).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(shared, [public]),
    ets:insert(T, [{{flag, 0}, down}, {{flag, 1}, down}, {turn, 0}, {inside, 0}]),
    Self = self(),
    [spawn(fun() -> Self ! {saw, run(T, Me, 1 - Me)} end) || Me <- [0, 1]],
    L = [receive {saw, N} -> N end || _ <- [1, 2]],
    ?assert(lists:max(L) =< 1).

run(T, Me, Other) ->
    ets:insert(T, {{flag, Me}, up}),
    ets:insert(T, {turn, Me}),
    Busy = ets:lookup(T, {flag, Other}) =:= [{{flag, Other}, up}]
        andalso ets:lookup(T, turn) =:= [{turn, Other}],
    Inside = case Busy of true -> 0; false -> critical(T) end,
    ets:insert(T, {{flag, Me}, down}),
    Inside.

critical(T) ->
    N = ets:update_counter(T, inside, 1),
    ets:update_counter(T, inside, -1),
    N.
