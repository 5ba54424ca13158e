%! run: temporary_stays_down:test/0
%! verdict: deadlock
%% A temporary child is not started again, so waiting for its second life never ends.
-module(temporary_stays_down).
-export([test/0]).
-concuerror_options([{treat_as_normal, shutdown}, {treat_as_normal, boom}]).
-behaviour(supervisor).
-export([init/1, start_child/1, child/1]).

test() ->
    {ok, _} = supervisor:start_link(?MODULE, self()),
    receive {up, P} -> P ! fail end,
    receive {up, _} -> ok end.

init(Boss) ->
    {ok, {#{}, [#{id => c, restart => temporary, start => {?MODULE, start_child, [Boss]}}]}}.
start_child(Boss) -> {ok, spawn_link(?MODULE, child, [Boss])}.
child(Boss) -> Boss ! {up, self()}, receive fail -> exit(boom) end.
