%! run: two_phase_commit:test/0
%! verdict: holds
%% Two-phase commit: all participants decide alike, whatever they vote.
-module(two_phase_commit).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Parts = [spawn(fun() -> participant(Vote, Self) end) || Vote <- [yes, no]],
    coordinate(Parts),
    [A, B] = [receive {decided, P, D} -> D end || P <- Parts],
    ?assertEqual({abort, abort}, {A, B}).

coordinate(Parts) ->
    [P ! {prepare, self()} || P <- Parts],
    Votes = [receive {vote, P, V} -> V end || P <- Parts],
    Decision = case lists:all(fun(V) -> V =:= yes end, Votes) of true -> commit; false -> abort end,
    [P ! Decision || P <- Parts].

participant(Vote, Boss) ->
    receive {prepare, C} -> C ! {vote, self(), Vote} end,
    receive commit -> Boss ! {decided, self(), commit}; abort -> Boss ! {decided, self(), abort} end.
