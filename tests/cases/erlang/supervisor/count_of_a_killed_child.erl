%! run: count_of_a_killed_child:test/0
%! verdict: abnormal_exit
%% count_children counts as active those children that are alive: one that was killed while the supervisor is suspended is not.
-module(count_of_a_killed_child).
-behaviour(supervisor).
-export([test/0, init/1, start/0]).
-concuerror_options([{treat_as_normal, killed}, {after_timeout, 5000}]).
init(_) -> {ok, {#{intensity => 1}, [#{id => c, start => {?MODULE, start, []}, shutdown => brutal_kill}]}}.
start() -> {ok, spawn_link(fun() -> receive x -> ok end end)}.
test() ->
    {ok, U} = supervisor:start_link(?MODULE, []), unlink(U),
    [{c, C, _, _}] = supervisor:which_children(U),
    sys:suspend(U),
    Self = self(),
    spawn(fun() -> Self ! {n, proplists:get_value(active, supervisor:count_children(U))} end),
    R = monitor(process, C),
    exit(C, kill),
    receive {'DOWN', R, _, _, _} -> ok end,
    sys:resume(U),
    receive {n, N} -> exit(U, kill), 0 = N, exit(counted) end.
