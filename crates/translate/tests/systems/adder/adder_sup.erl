-module(adder_sup).
-behaviour(supervisor).
-export([start_link/0, init/1]).
start_link() -> supervisor:start_link({local, ?MODULE}, ?MODULE, []).
init([]) ->
    {ok, {#{strategy => one_for_one, intensity => 1, period => 5},
          [#{id => adder, start => {adder, start_link, []}},
           #{id => {client,1}, start => {adder_client, start_link, [1]}},
           #{id => {client,2}, start => {adder_client, start_link, [2]}}]}}.
