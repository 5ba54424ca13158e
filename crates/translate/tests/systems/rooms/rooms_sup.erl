-module(rooms_sup).
-behaviour(supervisor).
-export([start_link/0, init/1, start/1, visitor/1]).

start_link() ->
    supervisor:start_link(?MODULE, []).

init(_) ->
    Rooms = #{id => rooms, start => {rooms, start_link, []}},
    Visitors = [
        #{id => Id, start => {?MODULE, start, [How]}, restart => temporary}
     || {Id, How} <- [{{reader, 1}, read}, {{reader, 2}, read}, {writer, write}]
    ],
    {ok, {#{}, [Rooms | Visitors]}}.

start(How) ->
    {ok, spawn_link(?MODULE, visitor, [How])}.

visitor(How) ->
    gen_server:call(rooms, {enter, How}, infinity),
    foresee:action(inside, [self()]),
    gen_server:call(rooms, leave, infinity),
    visitor(How).
