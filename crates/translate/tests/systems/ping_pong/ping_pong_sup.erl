%% Two players and an umpire, who serves, may whistle, and asks for the score.
-module(ping_pong_sup).
-behaviour(supervisor).
-export([start_link/0, init/1, start/0, umpire/1]).

start_link() ->
    supervisor:start_link(?MODULE, []).

init(_) ->
    Players = [#{id => P, start => {player, start_link, [P]}} || P <- [ping, pong]],
    {ok, {#{}, Players ++ [#{id => umpire, start => {?MODULE, start, []}, restart => temporary}]}}.

start() ->
    {ok, spawn_link(?MODULE, umpire, [3])}.

umpire(N) ->
    gen_server:cast(ping, {ball, N}),
    pong ! whistle,
    gen_server:call(pong, score, infinity).
