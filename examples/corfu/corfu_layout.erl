%% The layout service: which configuration is in force.
%%
%% Kept by a server of its own, or in a table. Clients only read it, and
%% requests to a server can be told apart by the order in which they come;
%% looking into a table cannot, so the table leaves fewer runs to explore.
-module(corfu_layout).
-behaviour(gen_server).

-export([start/2, stop/1, current/1, change/2]).
-export([init/1, handle_call/3, handle_cast/2]).

-include("corfu.hrl").

start(server, Layout) ->
    {ok, Server} = gen_server:start_link(?MODULE, Layout, []),
    {server, Server};
start(table, Layout) ->
    Table = ets:new(layout, [public]),
    true = ets:insert(Table, {current, Layout}),
    {table, Table}.

stop({server, Server}) -> gen_server:stop(Server);
stop({table, Table}) -> ets:delete(Table).

current({server, Server}) ->
    gen_server:call(Server, current, infinity);
current({table, Table}) ->
    [{current, Layout}] = ets:lookup(Table, current),
    Layout.

change({server, Server}, Layout) ->
    ok = gen_server:call(Server, {change, Layout}, infinity);
change({table, Table}, Layout) ->
    true = ets:insert(Table, {current, Layout}),
    ok.

init(Layout) ->
    {ok, Layout}.

handle_call(current, _From, Layout) -> {reply, Layout, Layout};
handle_call({change, New}, _From, #layout{}) -> {reply, ok, New}.

handle_cast(_, Layout) ->
    {noreply, Layout}.
