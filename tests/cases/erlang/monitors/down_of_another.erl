%! run: down_of_another:test/0
%! verdict: assertion
%% Two workers end in any order; the first DOWN need not be the first worker's.
-module(down_of_another).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    {P1, _} = spawn_monitor(fun() -> ok end),
    {_P2, _} = spawn_monitor(fun() -> ok end),
    First = receive {'DOWN', _, process, P, normal} -> P end,
    ?assertEqual(P1, First).
