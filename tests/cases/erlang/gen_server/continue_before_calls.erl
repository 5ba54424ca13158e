%! run: continue_before_calls:test/0
%! verdict: holds
%% handle_continue runs before any call is handled.
-module(continue_before_calls).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-behaviour(gen_server).
-export([init/1, handle_continue/2, handle_call/3, handle_cast/2]).

test() ->
    {ok, S} = gen_server:start(?MODULE, [], []),
    ?assertEqual(loaded, gen_server:call(S, state, infinity)),
    gen_server:stop(S).

init(_) -> {ok, empty, {continue, load}}.
handle_continue(load, empty) -> {noreply, loaded}.
handle_call(state, _From, S) -> {reply, S, S}.
handle_cast(_, S) -> {noreply, S}.
