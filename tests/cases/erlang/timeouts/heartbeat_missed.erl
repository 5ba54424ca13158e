%! run: heartbeat_missed:test/0
%! verdict: abnormal_exit
%% A watchdog with a finite patience may call a living process dead.
-module(heartbeat_missed).
-export([test/0]).

test() ->
    Self = self(),
    Watchdog = spawn_link(fun() -> watch(2, Self) end),
    [Watchdog ! beat || _ <- [1, 2]],
    receive all_well -> ok end.

watch(0, Boss) -> Boss ! all_well;
watch(N, Boss) ->
    receive beat -> watch(N - 1, Boss)
    after 1000 -> exit(no_heartbeat)
    end.
