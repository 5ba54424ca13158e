%% Two clients: one adds, one subtracts; each then reads once.
-module(counter_sup).
-behaviour(supervisor).
-export([start_link/0, init/1, start_client/2, client/2]).

start_link() ->
    supervisor:start_link(counter_sup, []).

init(_) ->
    Counter = #{id => counter, start => {counter, start_link, []}},
    Client = fun(What, K) ->
        #{id => What, start => {counter_sup, start_client, [What, K]}, restart => temporary}
    end,
    {ok, {#{}, [Counter, Client(add, 2), Client(subtract, 3)]}}.

start_client(What, K) ->
    {ok, spawn_link(counter_sup, client, [What, K])}.

client(What, K) ->
    gen_server:cast(counter, {What, K}),
    gen_server:call(counter, read, infinity).
