%! run: commit_with_timeout:test/0
%! verdict: assertion
%% A participant that gives up alone may abort what the coordinator commits.
-module(commit_with_timeout).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Parts = [spawn(fun() -> participant(Self) end) || _ <- [1, 2]],
    [P ! {prepare, Self} || P <- Parts],
    [receive {vote, P, yes} -> ok end || P <- Parts],
    [P ! commit || P <- Parts],
    L = [receive {decided, P, D} -> D end || P <- Parts],
    ?assertEqual([commit, commit], L).

participant(Boss) ->
    receive {prepare, C} -> C ! {vote, self(), yes} end,
    D = receive commit -> commit; abort -> abort after 1000 -> abort end,
    Boss ! {decided, self(), D}.
