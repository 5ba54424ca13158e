%% A queue: who takes from an empty one waits until something is put.
-module(queue_server).
-behaviour(gen_server).
-export([start_link/0, init/1, handle_call/3, handle_cast/2]).

start_link() ->
    gen_server:start_link({local, queue_server}, ?MODULE, [], []).

init(_) ->
    {ok, {[], []}}.

handle_call(take, From, {[], Takers}) ->
    {noreply, {[], Takers ++ [From]}};
handle_call(take, _From, {[X | Xs], Takers}) ->
    {reply, X, {Xs, Takers}}.

handle_cast({put, X}, {Xs, []}) ->
    {noreply, {Xs ++ [X], []}};
handle_cast({put, X}, {Xs, [Taker | Takers]}) ->
    gen_server:reply(Taker, X),
    {noreply, {Xs, Takers}}.
