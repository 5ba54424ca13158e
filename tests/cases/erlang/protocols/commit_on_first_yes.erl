%! run: commit_on_first_yes:test/0
%! verdict: assertion
%% A coordinator that decides on the first vote commits what another refuses.
-module(commit_on_first_yes).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Parts = [spawn(fun() -> participant(Vote, Self) end) || Vote <- [yes, no]],
    coordinate(Parts),
    L = [receive {decided, D} -> D end || _ <- Parts],
    ?assertEqual([abort, abort], L).

coordinate(Parts) ->
    [P ! {prepare, self()} || P <- Parts],
    Decision = receive {vote, yes} -> commit; {vote, no} -> abort end,
    [P ! Decision || P <- Parts].

participant(Vote, Boss) ->
    receive {prepare, C} -> C ! {vote, Vote} end,
    receive commit when Vote =:= no -> Boss ! {decided, forced}; D -> Boss ! {decided, D} end.
