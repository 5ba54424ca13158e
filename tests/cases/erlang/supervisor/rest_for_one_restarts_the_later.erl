%! run: rest_for_one_restarts_the_later:test/0
%! verdict: holds
%% With rest_for_one the failure of the first restarts the second too.
-module(rest_for_one_restarts_the_later).
-export([test/0]).
-concuerror_options([{treat_as_normal, shutdown}, {treat_as_normal, boom}]).
-behaviour(supervisor).
-export([init/1, start_child/2, child/2]).

test() ->
    {ok, _} = supervisor:start_link(?MODULE, self()),
    A = receive {up, a, P} -> P end,
    receive {up, b, _} -> ok end,
    A ! fail,
    receive {up, a, _} -> ok end,
    receive {up, b, _} -> ok end.

init(Boss) ->
    {ok, {#{strategy => rest_for_one}, [#{id => N, start => {?MODULE, start_child, [N, Boss]}} || N <- [a, b]]}}.
start_child(N, Boss) -> {ok, spawn_link(?MODULE, child, [N, Boss])}.
child(N, Boss) -> Boss ! {up, N, self()}, receive fail -> exit(boom) end.
