%! run: watched_lock:test/0
%! crash: holder
%! verdict: holds
%% The lock watches its clients: one that dies with the lock, or while it waits for it, is taken out of the queue.
-module(watched_lock).
-export([test/0]).

test() ->
    Lock = self(),
    spawn_monitor(fun() -> register(holder, self()), use(Lock) end),
    spawn_monitor(fun() -> use(Lock) end),
    serve([], 2).

serve(_, 0) -> ok;
serve(Queue, N) ->
    receive
        {acquire, Client} ->
            case Queue of
                [] -> Client ! granted;
                _ -> ok
            end,
            serve(Queue ++ [Client], N);
        {release, Client} ->
            [Client | Rest] = Queue,
            grant(Rest),
            serve(Rest, N);
        {'DOWN', _, process, Client, _} ->
            case Queue of
                [Client | Rest] ->
                    grant(Rest),
                    serve(Rest, N - 1);
                _ -> serve(lists:delete(Client, Queue), N - 1)
            end
    end.

grant([]) -> ok;
grant([First | _]) -> First ! granted.

use(Lock) ->
    Lock ! {acquire, self()},
    receive granted -> ok end,
    Lock ! {release, self()}.
