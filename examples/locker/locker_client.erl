%% A client that takes the lock and gives it back, over and over.
%% With -D ACTIONS it says when it uses what the lock guards.
-module(locker_client).

-export([start_link/1, loop/1]).

start_link(Locker) ->
    {ok, spawn_link(locker_client, loop, [Locker])}.

-ifdef(ACTIONS).

loop(Locker) ->
    gen_server:call(Locker, request, infinity),
    foresee:action(use, [self()]),
    foresee:action(free, [self()]),
    gen_server:call(Locker, release, infinity),
    loop(Locker).

-else.

loop(Locker) ->
    gen_server:call(Locker, request, infinity),
    gen_server:call(Locker, release, infinity),
    loop(Locker).

-endif.
