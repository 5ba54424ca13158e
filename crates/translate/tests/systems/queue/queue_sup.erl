%% One producer of two things, two consumers of one each.
-module(queue_sup).
-behaviour(supervisor).
-export([start_link/0, init/1, start/2, producer/1, consumer/0]).

start_link() ->
    supervisor:start_link(?MODULE, []).

init(_) ->
    Child = fun(Id, F, A) -> #{id => Id, start => {?MODULE, start, [F, A]}, restart => temporary} end,
    {ok, {#{}, [
        #{id => queue_server, start => {queue_server, start_link, []}},
        Child(producer, producer, [[a, b]]),
        Child({consumer, 1}, consumer, []),
        Child({consumer, 2}, consumer, [])
    ]}}.

start(F, A) ->
    {ok, spawn_link(?MODULE, F, A)}.

producer(Things) ->
    [gen_server:cast(queue_server, {put, T}) || T <- Things].

consumer() ->
    X = gen_server:call(queue_server, take, infinity),
    foresee:action(consumed, [self(), X]).
