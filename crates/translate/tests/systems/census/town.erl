%% Keeps who lives where; list functions with funs, folds, comprehensions with values.
-module(town).
-behaviour(gen_server).
-export([start_link/2, init/1, handle_call/3, handle_cast/2, count/1, move/2]).

start_link(Name, Houses) ->
    gen_server:start_link({local, Name}, ?MODULE, Houses, []).

count(Town) ->
    gen_server:call(Town, count, infinity).

move(Town, Who) ->
    gen_server:cast(Town, {arrives, Who}).

init(Houses) ->
    {ok, Houses}.

handle_call(count, _From, Houses) ->
    Sum = lists:foldl(fun({_, Who}, N) -> N + length(Who) end, 0, Houses),
    true = lists:all(fun({_, Who}) -> is_list(Who) end, Houses),
    {reply, Sum, Houses}.

handle_cast({arrives, Who}, Houses) ->
    case lists:any(fun({_, Here}) -> lists:member(Who, Here) end, Houses) of
        true -> {noreply, Houses};
        false -> {noreply, settle(Who, Houses)}
    end.

%% Into the house with the fewest.
settle(Who, Houses) ->
    Least = lists:min(lists:map(fun({_, Here}) -> length(Here) end, Houses)),
    [{Best, _} | _] = lists:filter(fun({_, Here}) -> length(Here) =:= Least end, Houses),
    [
        case House of
            {Best, Here} -> {Best, [Who | Here]};
            _ -> House
        end
     || House <- Houses
    ].
