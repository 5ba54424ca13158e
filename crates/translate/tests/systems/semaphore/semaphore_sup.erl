%% Two that wait for their turn and one that only tries.
-module(semaphore_sup).
-behaviour(supervisor).
-export([start_link/0, init/1, start/1, patient/0, hasty/0]).

start_link() ->
    supervisor:start_link(?MODULE, []).

init(_) ->
    Semaphore = #{id => semaphore, start => {semaphore, start_link, [1]}},
    Clients = [
        #{id => Id, start => {?MODULE, start, [F]}, restart => temporary}
     || {Id, F} <- [{{patient, 1}, patient}, {{patient, 2}, patient}, {hasty, hasty}]
    ],
    {ok, {#{}, [Semaphore | Clients]}}.

start(F) ->
    {ok, spawn_link(?MODULE, F, [])}.

patient() ->
    ok = gen_server:call(semaphore, acquire, infinity),
    foresee:action(enter, [self()]),
    foresee:action(leave, [self()]),
    gen_server:cast(semaphore, release),
    patient().

hasty() ->
    case gen_server:call(semaphore, try_acquire, infinity) of
        true ->
            foresee:action(enter, [self()]),
            foresee:action(leave, [self()]),
            gen_server:cast(semaphore, release);
        false ->
            ok
    end.
