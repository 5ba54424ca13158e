%! run: lock_watches_its_holder:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 223, transitions = 445, depth = 26
%! stateless(optimal): holds, interleavings = 6
%% A lock that monitors its holder takes itself back when the holder is killed.
-module(lock_watches_its_holder).
-export([test/0]).
-concuerror_options([{treat_as_normal, killed}]).

test() ->
    Lock = spawn(fun() -> lock() end),
    Holder = spawn(fun() -> Lock ! {lock, self()}, receive locked -> ok end, Lock ! {unlock, self()} end),
    exit(Holder, kill),
    Lock ! {lock, self()},
    receive locked -> Lock ! {unlock, self()} end,
    Lock ! stop.

lock() ->
    receive
        {lock, P} ->
            Ref = monitor(process, P),
            P ! locked,
            receive
                {unlock, P} -> demonitor(Ref, [flush]);
                {'DOWN', Ref, process, P, _} -> receive {unlock, P} -> ok after 0 -> ok end
            end,
            lock();
        stop -> ok
    end.
