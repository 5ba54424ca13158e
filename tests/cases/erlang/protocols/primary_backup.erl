%! run: primary_backup:test/0
%! verdict: holds
%% The primary answers only when the backup has the value too.
-module(primary_backup).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Backup = spawn(fun() -> receive {copy, P, V} -> P ! copied, receive {read, Q} -> Q ! {value, V} end end end),
    Primary = spawn(fun() -> receive {write, P, V} -> Backup ! {copy, self(), V}, receive copied -> P ! ok end end end),
    Primary ! {write, self(), 5},
    receive ok -> ok end,
    Backup ! {read, self()},
    receive {value, V} -> ?assertEqual(5, V) end.
