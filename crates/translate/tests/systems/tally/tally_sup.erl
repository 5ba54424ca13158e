%% Players that add up what they roll, by a function that recurses before it is done.
-module(tally_sup).
-behaviour(supervisor).
-export([start_link/0, init/1, start/1, player/1]).

start_link() ->
    supervisor:start_link(?MODULE, []).

init(_) ->
    Dice = #{id => dice, start => {dice, start_link, []}},
    Players = [#{id => {player, N}, start => {?MODULE, start, [N]}, restart => temporary} || N <- [1, 2]],
    {ok, {#{}, [Dice | Players]}}.

start(N) ->
    {ok, spawn_link(?MODULE, player, [N])}.

player(N) ->
    Sum = rolls(N),
    skip(N),
    foresee:action(total, [self(), Sum]).

rolls(0) ->
    0;
rolls(N) ->
    gen_server:call(dice, roll, infinity) + rolls(N - 1).

skip(0) ->
    ok;
skip(N) ->
    gen_server:call(dice, roll, infinity),
    skip(N - 1).
