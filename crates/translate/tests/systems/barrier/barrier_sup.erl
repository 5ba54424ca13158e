-module(barrier_sup).
-behaviour(supervisor).
-export([start_link/0, init/1, start/0, runner/0]).

-ifndef(RUNNERS).
-define(RUNNERS, 2).
-endif.

start_link() ->
    supervisor:start_link(?MODULE, []).

init(_) ->
    Barrier = #{id => barrier, start => {barrier, start_link, [?RUNNERS]}},
    Runners = [
        #{id => {runner, N}, start => {?MODULE, start, []}, restart => temporary}
     || N <- lists:seq(1, ?RUNNERS)
    ],
    {ok, {#{}, [Barrier | Runners]}}.

start() ->
    {ok, spawn_link(?MODULE, runner, [])}.

runner() ->
    go = gen_server:call(barrier, arrive, infinity),
    runner().
