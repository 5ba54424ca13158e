%% A valve that closes by itself a tenth of a second after it was opened.
-module(valve).
-behaviour(gen_statem).
-export([start_link/0, open/0, state/0]).
-export([callback_mode/0, init/1, closed/3, open/3]).

start_link() -> gen_statem:start_link({local, ?MODULE}, ?MODULE, [], []).

open() -> gen_statem:call(?MODULE, open).

state() -> gen_statem:call(?MODULE, state).

callback_mode() -> state_functions.

init([]) -> {ok, closed, []}.

closed({call, From}, open, Data) -> {next_state, open, Data, [{reply, From, ok}, {state_timeout, 100, close}]};
closed({call, From}, state, _) -> {keep_state_and_data, [{reply, From, closed}]}.

open(state_timeout, close, Data) -> {next_state, closed, Data};
open({call, From}, open, _) -> {keep_state_and_data, [{reply, From, ok}]};
open({call, From}, state, _) -> {keep_state_and_data, [{reply, From, open}]}.
