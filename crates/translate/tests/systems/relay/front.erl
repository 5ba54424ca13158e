%% Asks another server before it answers.
-module(front).
-behaviour(gen_server).
-export([start_link/0, init/1, handle_call/3, handle_cast/2]).

start_link() ->
    gen_server:start_link({local, front}, front, [], []).

init(_) ->
    {ok, idle}.

handle_call({price, Thing}, _From, State) ->
    Price = ask(Thing),
    {reply, {price, Price}, State}.

handle_cast(_, State) ->
    {noreply, State}.

ask(Thing) ->
    case gen_server:call(back, {lookup, Thing}, infinity) of
        {found, Price} -> Price + 1;
        missing -> unknown
    end.
