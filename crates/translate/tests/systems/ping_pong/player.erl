%% A player hits the ball back until the rally is over.
-module(player).
-behaviour(gen_server).
-export([start_link/1, init/1, handle_call/3, handle_cast/2, handle_info/2]).

start_link(Name) ->
    gen_server:start_link({local, Name}, ?MODULE, Name, []).

init(Name) ->
    {ok, {Name, 0}}.

handle_call(score, _From, S = {_, Hits}) ->
    {reply, Hits, S}.

handle_cast({ball, 0}, S) ->
    {noreply, S};
handle_cast({ball, N}, {Name, Hits}) ->
    gen_server:cast(other(Name), {ball, N - 1}),
    {noreply, {Name, Hits + 1}}.

handle_info(whistle, {Name, _}) ->
    {noreply, {Name, 0}}.

other(ping) -> pong;
other(pong) -> ping.
