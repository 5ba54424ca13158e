%! run: coordinator_dies:test/0
%! verdict: deadlock
%% Two-phase commit blocks when the coordinator is gone after the votes.
-module(coordinator_dies).
-export([test/0]).

test() ->
    Parts = [spawn(fun() ->
        receive {prepare, C} -> C ! {vote, self()} end,
        receive commit -> ok; abort -> ok end
    end) || _ <- [1, 2]],
    spawn(fun() ->
        [P ! {prepare, self()} || P <- Parts],
        [receive {vote, P} -> ok end || P <- Parts]
    end).
