%! run: primary_answers_early:test/0
%! verdict: assertion
%% The primary answers before the backup has the value, and a read there misses it.
-module(primary_answers_early).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Backup = spawn(fun() -> backup(none, 2) end),
    Primary = spawn(fun() -> receive {write, P, V} -> P ! ok, Backup ! {copy, V} end end),
    Primary ! {write, self(), 5},
    receive ok -> ok end,
    Backup ! {read, self()},
    receive {value, V} -> ?assertEqual(5, V) end.

backup(_, 0) -> ok;
backup(V, K) ->
    receive {copy, New} -> backup(New, K - 1); {read, P} -> P ! {value, V}, backup(V, K - 1) end.
