%! run: peterson:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 546, transitions = 1084, depth = 24
%! stateless(optimal): holds, interleavings = 56
%% Peterson's algorithm: raise the flag, give the turn away, wait; never two inside. Who waits too long gives up.
-module(peterson).
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
    ets:insert(T, {turn, Other}),
    Inside = await(T, Other, 2),
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
