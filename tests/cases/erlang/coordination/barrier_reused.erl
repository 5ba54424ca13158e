%! run: barrier_reused:test/0
%! verdict: deadlock
%% A fast process comes to the second round before the slow one has left the first, and takes its place there.
-module(barrier_reused).
-export([test/0]).

test() ->
    T = ets:new(count, [public]),
    ets:insert(T, {n, 0}),
    Self = self(),
    Pids = [spawn(fun() ->
        receive {peer, Peer} -> ok end,
        round(T, Peer),
        round(T, Peer),
        Self ! done
    end) || _ <- [1, 2]],
    [A, B] = Pids,
    A ! {peer, B},
    B ! {peer, A},
    [receive done -> ok end || _ <- Pids].

round(T, Peer) ->
    case ets:update_counter(T, n, 1) of
        2 -> ets:insert(T, {n, 0}), Peer ! pass;
        _ -> receive pass -> ets:insert(T, {n, 0}) end
    end.
