%% Lets everybody go on when all have arrived: a comprehension with effects, and `foresee_actions`.
-module(barrier).
-behaviour(gen_server).
-export([start_link/1, init/1, handle_call/3, handle_cast/2]).
-foresee_actions([opened/1]).

start_link(N) ->
    gen_server:start_link({local, barrier}, ?MODULE, N, []).

init(N) ->
    {ok, {N, []}}.

handle_call(arrive, From, {N, Here}) ->
    arrived(N, [From | Here]).

handle_cast(_, S) ->
    {noreply, S}.

arrived(N, Here) when length(Here) < N ->
    {noreply, {N, Here}};
arrived(N, Here) ->
    opened(length(Here)),
    [gen_server:reply(F, go) || F <- lists:reverse(Here)],
    {noreply, {N, []}}.

opened(_) ->
    ok.
