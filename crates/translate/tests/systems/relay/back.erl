-module(back).
-behaviour(gen_server).
-export([start_link/1, init/1, handle_call/3, handle_cast/2]).

start_link(Prices) ->
    gen_server:start_link({local, back}, back, Prices, []).

init(Prices) ->
    {ok, Prices}.

handle_call({lookup, Thing}, _, Prices) ->
    Reply =
        case [P || {T, P} <- Prices, T == Thing] of
            [Price | _] -> {found, Price};
            [] -> missing
        end,
    {reply, Reply, Prices}.

handle_cast({set, Thing, Price}, Prices) ->
    {noreply, [{Thing, Price} | [It || It = {T, _} <- Prices, T =/= Thing]]}.
