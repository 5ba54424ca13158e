%! run: quorum_read_sees_write:test/0
%! verdict: holds
%% A value written to two of three replicas is seen by every read of two.
-module(quorum_read_sees_write).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Reps = [spawn(fun() -> replica({0, none}) end) || _ <- [1, 2, 3]],
    [A, B, C] = Reps,
    [R ! {write, {1, new}} || R <- [A, B]],
    [R ! {read, self()} || R <- [B, C]],
    Values = [receive {value, R, V} -> V end || R <- [B, C]],
    [R ! stop || R <- Reps],
    ?assertEqual({1, new}, lists:max(Values)).

replica({N, _} = Old) ->
    receive
        {write, {M, _} = New} when M > N -> replica(New);
        {write, _} -> replica(Old);
        {read, P} -> P ! {value, self(), Old}, replica(Old);
        stop -> ok
    end.
