%! run: down_comes_once:test/0
%! verdict: deadlock
%% One monitor gives one DOWN; waiting for a second is waiting for ever.
-module(down_comes_once).
-export([test/0]).

test() ->
    {_, Ref} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Ref, _, _, _} -> ok end,
    receive {'DOWN', Ref, _, _, _} -> ok end.
