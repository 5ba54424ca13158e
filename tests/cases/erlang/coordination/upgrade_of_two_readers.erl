%! run: upgrade_of_two_readers:test/0
%! verdict: deadlock
%% Two readers both want to become the writer and both wait for the other to stop reading.
-module(upgrade_of_two_readers).
-export([test/0]).

test() ->
    L = spawn(fun() -> lock(0, none) end),
    [spawn(fun() ->
        L ! {read, self()},
        receive reading -> ok end,
        L ! {upgrade, self()},
        receive writing -> ok end,
        L ! done
    end) || _ <- [1, 2]].

lock(N, none) ->
    receive
        {read, P} -> P ! reading, lock(N + 1, none);
        {upgrade, P} when N =:= 1 -> P ! writing, receive done -> lock_rest() end;
        {upgrade, P} -> lock(N, P)
    end;
lock(N, Waiting) ->
    receive done_reading when N =:= 2 -> Waiting ! writing, receive done -> ok end end.

lock_rest() ->
    receive
        {read, P} -> P ! reading, receive {upgrade, P} -> P ! writing, receive done -> ok end end
    end.
