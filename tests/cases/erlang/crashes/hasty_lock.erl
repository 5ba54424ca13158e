%! run: hasty_lock:test/0
%! crash: waiter
%! verdict: abnormal_exit
%% A wrong clean-up: whoever dies, the next in the queue gets the lock, even if another still holds it.
-module(hasty_lock).
-export([test/0]).

test() ->
    ets:new(inside, [named_table, public]),
    ets:insert(inside, {n, 0}),
    Lock = self(),
    spawn_monitor(fun() -> use(Lock) end),
    spawn_monitor(fun() -> register(waiter, self()), use(Lock) end),
    spawn_monitor(fun() -> use(Lock) end),
    serve(free, [], 3).

serve(_, _, 0) -> ok;
serve(free, [Next | Rest], N) ->
    Next ! granted,
    serve(held, Rest, N);
serve(State, Queue, N) ->
    receive
        {acquire, Client} -> serve(State, Queue ++ [Client], N);
        release -> serve(free, Queue, N);
        {'DOWN', _, process, _, normal} -> serve(State, Queue, N - 1);
        {'DOWN', _, process, Client, _} -> serve(free, lists:delete(Client, Queue), N - 1)
    end.

use(Lock) ->
    Lock ! {acquire, self()},
    receive granted -> ok end,
    1 = ets:update_counter(inside, n, 1),
    ets:update_counter(inside, n, -1),
    Lock ! release.
