%% A store of keys and values, its state a record.
-module(store).
-behaviour(gen_server).
-export([start_link/0, init/1, handle_call/3, handle_cast/2]).

-record(store, {entries = [], changes = 0}).

start_link() ->
    gen_server:start_link({local, store}, store, [], []).

init([]) ->
    {ok, #store{}}.

handle_call({put, Key, Value}, _From, S = #store{entries = Entries, changes = N}) ->
    Old = lookup(Key, Entries),
    {reply, Old, S#store{entries = lists:keystore(Key, 1, Entries, {Key, Value}), changes = (N + 1) rem 3}};
handle_call({get, Key}, _From, S) ->
    {reply, lookup(Key, S#store.entries), S};
handle_call(changes, _From, #store{changes = N} = S) ->
    {reply, N, S}.

handle_cast({delete, Key}, S = #store{entries = Entries}) ->
    {noreply, S#store{entries = lists:keydelete(Key, 1, Entries)}}.

lookup(Key, Entries) ->
    case lists:keyfind(Key, 1, Entries) of
        {Key, Value} -> {ok, Value};
        false -> none
    end.
