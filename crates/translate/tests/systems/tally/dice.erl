%% Gives numbers in turn.
-module(dice).
-behaviour(gen_server).
-export([start_link/0, init/1, handle_call/3, handle_cast/2]).

start_link() ->
    gen_server:start_link({local, dice}, ?MODULE, [1, 2], []).

init(Numbers) ->
    {ok, Numbers}.

handle_call(roll, _From, [N | Numbers]) ->
    {reply, N, Numbers ++ [N]}.

handle_cast(_, Numbers) ->
    {noreply, Numbers}.
