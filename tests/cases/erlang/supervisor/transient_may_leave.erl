%! run: transient_may_leave:test/0
%! verdict: holds
%% A transient child that ends normally is not started again.
-module(transient_may_leave).
-export([test/0]).
-concuerror_options([{treat_as_normal, shutdown}]).
-behaviour(supervisor).
-export([init/1, start_child/1, child/1]).

test() ->
    {ok, _} = supervisor:start_link(?MODULE, self()),
    P = receive {up, Q} -> Q end,
    Ref = monitor(process, P),
    P ! leave,
    receive {'DOWN', Ref, process, P, normal} -> ok end,
    receive {up, _} -> error(started_again) after 10 -> ok end.

init(Boss) ->
    {ok, {#{}, [#{id => c, restart => transient, start => {?MODULE, start_child, [Boss]}}]}}.
start_child(Boss) -> {ok, spawn_link(?MODULE, child, [Boss])}.
child(Boss) -> Boss ! {up, self()}, receive leave -> ok end.
