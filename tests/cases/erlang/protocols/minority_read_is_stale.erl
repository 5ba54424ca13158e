%! run: minority_read_is_stale:test/0
%! verdict: assertion
%% Reading one replica while the writer is at work may show the old value.
-module(minority_read_is_stale).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Reps = [spawn(fun() -> replica(old) end) || _ <- [1, 2]],
    spawn(fun() -> [R ! {write, new} || R <- Reps] end),
    Values = [begin R ! {read, self()}, receive {value, V} -> V end end || R <- Reps],
    [R ! stop || R <- Reps],
    ?assertNotEqual([new, old], Values).

replica(Old) ->
    receive
        {write, New} -> replica(New);
        {read, P} -> P ! {value, Old}, replica(Old);
        stop -> ok
    end.
