%% Counts what it is told by casts, and says so when it is asked.
-module(counter).
-behaviour(gen_server).
-export([start_link/0, init/1, handle_call/3, handle_cast/2]).

start_link() ->
    gen_server:start_link({local, counter}, counter, 0, []).

init(Start) ->
    {ok, Start}.

handle_call(read, _From, N) ->
    {reply, N, N}.

handle_cast({add, K}, N) ->
    {noreply, N + K};
handle_cast({subtract, K}, N) ->
    {noreply, N - K}.
