%% The locker and its clients: two, or as many as -D CLIENTS=N says.
-module(locker_sup).
-behaviour(supervisor).

-export([start_link/0, init/1]).

-ifndef(CLIENTS).
-define(CLIENTS, 2).
-endif.

start_link() ->
    supervisor:start_link(locker_sup, []).

init(_) ->
    Locker = #{id => locker, start => {locker, start_link, []}},
    Clients = [
        #{
            id => {client, N},
            start => {locker_client, start_link, [locker]},
            restart => temporary
        }
     || N <- lists:seq(1, ?CLIENTS)
    ],
    {ok, {#{strategy => one_for_one}, [Locker | Clients]}}.
