%! run: idle_timeout:test/0
%! verdict: assertion
%% The server's own timeout may fire before the call comes.
-module(idle_timeout).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

test() ->
    {ok, S} = gen_server:start(?MODULE, [], []),
    R = gen_server:call(S, state, infinity),
    gen_server:stop(S),
    ?assertEqual(fresh, R).

init(_) -> {ok, fresh, 100}.
handle_call(state, _From, S) -> {reply, S, S}.
handle_cast(_, S) -> {noreply, S}.
handle_info(timeout, _) -> {noreply, idle}.
