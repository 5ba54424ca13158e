%! run: dekker:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 586, transitions = 1164, depth = 27
%! stateless(optimal): holds, interleavings = 130
%% Dekker's algorithm with bounded patience: who has not the turn takes its flag down and tries again.
-module(dekker).
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
    Inside = contend(T, Me, Other, 2),
    ets:insert(T, {turn, Other}),
    ets:insert(T, {{flag, Me}, down}),
    Inside.

contend(_, _, _, 0) -> 0;
contend(T, Me, Other, Tries) ->
    case ets:lookup(T, {flag, Other}) of
        [{_, down}] ->
            N = ets:update_counter(T, inside, 1),
            ets:update_counter(T, inside, -1),
            N;
        [{_, up}] ->
            case ets:lookup(T, turn) of
                [{turn, Me}] -> ok;
                [{turn, Other}] ->
                    ets:insert(T, {{flag, Me}, down}),
                    ets:insert(T, {{flag, Me}, up})
            end,
            contend(T, Me, Other, Tries - 1)
    end.
