%% Owns a table in which entries are numbered; the table is gone when its owner is, and a new owner makes a new one.
-module(recorder).
-behaviour(gen_server).
-export([start_link/0, write/2, entries/0]).
-export([init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

write(What, Value) -> gen_server:call(?MODULE, {write, What, Value}).

%% Read by anybody, without asking the owner.
entries() -> ets:tab2list(?MODULE).

init([]) -> {ok, ets:new(?MODULE, [named_table, ordered_set, protected])}.

handle_call({write, What, Value}, _From, Table) ->
    true = ets:insert(Table, {ets:info(Table, size) + 1, What, Value}),
    {reply, ok, Table}.

handle_cast(_, Table) -> {noreply, Table}.
