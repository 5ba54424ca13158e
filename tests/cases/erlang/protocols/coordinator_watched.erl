%! run: coordinator_watched:test/0
%! verdict: holds
%% Participants that monitor the coordinator abort when it is gone before the decision.
-module(coordinator_watched).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Parts = [spawn(fun() ->
        receive {prepare, C} ->
            Ref = monitor(process, C),
            C ! {vote, self()},
            D = receive commit -> commit; {'DOWN', Ref, _, _, _} -> abort end,
            Self ! {decided, D}
        end
    end) || _ <- [1, 2]],
    spawn(fun() ->
        [P ! {prepare, self()} || P <- Parts],
        [receive {vote, P} -> ok end || P <- Parts]
    end),
    L = [receive {decided, D} -> D end || _ <- Parts],
    ?assertEqual([abort, abort], L).
