%% A key-value store with an ets table behind a server.
-module(gen_server_key_value).
-export([main/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, terminate/2]).

main() ->
    {ok, _} = gen_server:start_link({local, store}, ?MODULE, [], []),
    [set(K, V) || {K, V} <- [{a, 1}, {b, 2}, {a, 3}]],
    p(get_value(a)), p(get_value(zz)), p(delete(a)), p(get_value(a)),
    p(gen_server:call(store, all)),
    gen_server:stop(store),
    p(ets:whereis(store_table)).

set(K, V) -> gen_server:cast(store, {set, K, V}).
get_value(K) -> gen_server:call(store, {get, K}).
delete(K) -> gen_server:call(store, {delete, K}).

init([]) -> {ok, ets:new(store_table, [named_table, ordered_set])}.
handle_call({get, K}, _, T) ->
    case ets:lookup(T, K) of
        [{_, V}] -> {reply, {ok, V}, T};
        [] -> {reply, error, T}
    end;
handle_call({delete, K}, _, T) -> {reply, ets:delete(T, K), T};
handle_call(all, _, T) -> {reply, ets:tab2list(T), T}.
handle_cast({set, K, V}, T) -> ets:insert(T, {K, V}), {noreply, T}.
terminate(_, T) -> ets:delete(T).

p(X) -> io:format("~p~n", [X]).
