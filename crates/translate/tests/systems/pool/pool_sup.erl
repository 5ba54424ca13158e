%% One resource, two clients that use it over and over.
-module(pool_sup).
-behaviour(supervisor).
-export([start_link/0, init/1, start_client/0, client/0]).

start_link() ->
    supervisor:start_link(?MODULE, []).

init(_) ->
    Pool = #{id => pool, start => {pool, start_link, [1]}},
    Clients = [#{id => {client, N}, start => {?MODULE, start_client, []}, restart => temporary} || N <- [1, 2]],
    {ok, {#{}, [Pool | Clients]}}.

start_client() ->
    {ok, spawn_link(?MODULE, client, [])}.

client() ->
    {ok, R} = gen_server:call(pool, acquire, infinity),
    foresee:action(work, [self(), R]),
    ok = gen_server:call(pool, {release, R}, infinity),
    client().
