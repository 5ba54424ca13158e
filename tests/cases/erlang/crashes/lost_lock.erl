%! run: lost_lock:test/0
%! crash: holder
%! verdict: deadlock
%% Who holds the lock dies, and nobody watches: the lock waits for a release that never comes.
-module(lost_lock).
-export([test/0]).

test() ->
    Lock = spawn(fun() -> lock(2) end),
    spawn(fun() -> register(holder, self()), use(Lock) end),
    use(Lock).

lock(0) -> ok;
lock(N) ->
    receive
        {acquire, Client} ->
            Client ! granted,
            receive {release, Client} -> lock(N - 1) end
    end.

use(Lock) ->
    Lock ! {acquire, self()},
    receive granted -> ok end,
    Lock ! {release, self()}.
