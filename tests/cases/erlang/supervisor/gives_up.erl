%! run: gives_up:test/0
%! verdict: holds
%% More failures than the intensity allows end the supervisor itself.
-module(gives_up).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-concuerror_options([{treat_as_normal, shutdown}, {treat_as_normal, boom}]).
-behaviour(supervisor).
-export([init/1, start_child/1, child/1]).

test() ->
    process_flag(trap_exit, true),
    {ok, S} = supervisor:start_link(?MODULE, self()),
    receive {up, P} -> P ! fail end,
    receive {up, Q} -> Q ! fail end,
    receive {'EXIT', S, R} -> ?assertEqual(shutdown, R) end.

init(Boss) ->
    Flags = #{strategy => one_for_one, intensity => 1, period => 1000},
    {ok, {Flags, [#{id => c, start => {?MODULE, start_child, [Boss]}}]}}.
start_child(Boss) -> {ok, spawn_link(?MODULE, child, [Boss])}.
child(Boss) -> Boss ! {up, self()}, receive fail -> exit(boom) end.
