%% A log server with room for one entry, which can be written once.
%%
%% Servers never speak first and do not know each other. Every request names
%% the client's epoch; one that is not the server's own is refused, so nobody
%% acts on a configuration that others have left.
-module(corfu_log).
-behaviour(gen_server).

-export([start_link/1, stop/1, read/2, write/3, enter/2, content/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-include("corfu.hrl").

%% `memory` is used by the head half of a split server only.
-record(log, {epoch, disk = not_written, memory = not_written}).

start_link(Epoch) ->
    {ok, Server} = gen_server:start_link(?MODULE, Epoch, []),
    Server.

stop(Server) ->
    gen_server:stop(Server).

%% {ok, Value} | not_written | {wrong_epoch, Epoch}
read(#place{server = Server, part = Part}, Epoch) ->
    gen_server:call(Server, {read, Epoch, Part}, infinity).

%% ok | written | {wrong_epoch, Epoch}
write(#place{server = Server, part = Part}, Epoch, Value) ->
    gen_server:call(Server, {write, Epoch, Part, Value}, infinity).

%% Only the repairer moves a server to another epoch.
enter(Server, Epoch) ->
    gen_server:call(Server, {enter, Epoch}, infinity).

%% What stands at a place, whatever the epoch: for the final inspection.
content(#place{server = Server, part = Part}) ->
    gen_server:call(Server, {content, Part}, infinity).

init(Epoch) ->
    {ok, #log{epoch = Epoch}}.

handle_call({enter, Epoch}, _From, Log) ->
    {reply, ok, Log#log{epoch = Epoch}};
handle_call({content, Part}, _From, Log) ->
    {reply, look(Part, Log), Log};
handle_call(Request, _From, Log = #log{epoch = Epoch}) when element(2, Request) =/= Epoch ->
    {reply, {wrong_epoch, Epoch}, Log};
handle_call({read, _, Part}, _From, Log) ->
    {reply, look(Part, Log), Log};
handle_call({write, _, Part, Value}, _From, Log) ->
    case look(Part, Log) of
        not_written -> {reply, ok, put(Part, Value, Log)};
        %% The same write once more: a client that started again.
        {ok, Value} -> {reply, ok, put(Part, Value, Log)};
        {ok, _} -> {reply, written, Log}
    end.

handle_cast(_, Log) ->
    {noreply, Log}.

%% The head half sees what is on its way as well as what is on disk.
look(head, #log{disk = not_written, memory = Memory}) -> Memory;
look(_, #log{disk = Disk}) -> Disk.

put(head, _, Log = #log{disk = {ok, _}}) -> Log;
put(head, Value, Log) -> Log#log{memory = {ok, Value}};
put(_, Value, Log) -> Log#log{disk = {ok, Value}, memory = not_written}.
