%! run: peterson_turn_first:test/0
%! verdict: assertion
%% Peterson's algorithm with the turn given away before the flag is raised: both can be inside.
-module(peterson_turn_first).
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
    ets:insert(T, {turn, Other}),
    ets:insert(T, {{flag, Me}, up}),
    Inside = await(T, Other, 1),
    ets:insert(T, {{flag, Me}, down}),
    Inside.

await(_, _, 0) -> 0;
await(T, Other, Tries) ->
    Busy = ets:lookup(T, {flag, Other}) =:= [{{flag, Other}, up}]
        andalso ets:lookup(T, turn) =:= [{turn, Other}],
    case Busy of
        true -> await(T, Other, Tries - 1);
        false -> critical(T)
    end.

critical(T) ->
    N = ets:update_counter(T, inside, 1),
    ets:update_counter(T, inside, -1),
    N.
