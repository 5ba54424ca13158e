%! run: killed_with_the_lock:test/0
%! verdict: deadlock
%% The holder is killed between lock and unlock, and the next one waits for a lock nobody will give back.
-module(killed_with_the_lock).
-export([test/0]).
-concuerror_options([{treat_as_normal, killed}]).

test() ->
    Lock = spawn(fun() -> lock() end),
    Holder = spawn(fun() -> Lock ! {lock, self()}, receive locked -> ok end, Lock ! unlock end),
    exit(Holder, kill),
    Lock ! {lock, self()},
    receive locked -> Lock ! unlock end,
    Lock ! stop.

lock() ->
    receive
        {lock, P} -> P ! locked, receive unlock -> lock() end;
        stop -> ok
    end.
