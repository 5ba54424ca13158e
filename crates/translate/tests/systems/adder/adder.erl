-module(adder).
-behaviour(gen_server).
-export([start_link/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).
start_link() -> gen_server:start_link({local, adder}, ?MODULE, [], []).
init([]) -> {ok, 0}.
handle_call(get, _From, N) -> {reply, N, N};
handle_call({add, K}, _From, N) when K > 0, N + K =< 3 -> {reply, ok, N + K};
handle_call({add, _}, _From, N) -> {reply, {error, full}, N}.
handle_cast(reset, _N) -> {noreply, 0}.
handle_info(_, N) -> {noreply, N}.
