%% Two towns, somebody who moves into both, and a clerk who counts.
-module(census_sup).
-behaviour(supervisor).
-export([start_link/0, init/1, start/2, mover/1, clerk/1]).

start_link() ->
    supervisor:start_link(?MODULE, []).

init(_) ->
    {ok, {#{}, [
        #{id => north, start => {town, start_link, [north, [{hill, []}, {lake, [ann]}]]}},
        #{id => south, start => {town, start_link, [south, [{inn, []}]]}},
        #{id => mover, start => {?MODULE, start, [mover, [bob]]}, restart => temporary},
        #{id => clerk, start => {?MODULE, start, [clerk, [[north, south]]]}, restart => temporary}
    ]}}.

start(F, A) ->
    {ok, spawn_link(?MODULE, F, A)}.

mover(Who) ->
    lists:foreach(fun(Town) -> town:move(Town, Who) end, [north, south]).

clerk(Towns) ->
    Counts = [town:count(Town) || Town <- Towns],
    foresee:action(counted, [lists:sum(Counts)]),
    foresee:action(found, [Counts]).
