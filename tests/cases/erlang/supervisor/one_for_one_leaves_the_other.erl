%! run: one_for_one_leaves_the_other:test/0
%! verdict: deadlock
%% With one_for_one the sibling is left alone, so waiting for its second start never ends.
-module(one_for_one_leaves_the_other).
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
    {ok, {#{strategy => one_for_one}, [#{id => N, start => {?MODULE, start_child, [N, Boss]}} || N <- [a, b]]}}.
start_child(N, Boss) -> {ok, spawn_link(?MODULE, child, [N, Boss])}.
child(N, Boss) -> Boss ! {up, N, self()}, receive fail -> exit(boom) end.
