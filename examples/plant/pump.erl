%% A pump counts the litres it has pumped since it was started.
-module(pump).
-behaviour(gen_server).
-export([start_link/1, run/2, total/1]).
-export([init/1, handle_call/3, handle_cast/2]).

start_link(Name) -> gen_server:start_link({local, Name}, ?MODULE, [], []).

run(Name, Litres) -> gen_server:call(Name, {run, Litres}).

total(Name) -> gen_server:call(Name, total).

init([]) -> {ok, 0}.

handle_call({run, Litres}, _From, Total) -> {reply, ok, Total + Litres};
handle_call(total, _From, Total) -> {reply, Total, Total}.

handle_cast(_, Total) -> {noreply, Total}.
