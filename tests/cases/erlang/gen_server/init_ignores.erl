%! run: init_ignores:test/0
%! verdict: holds
%% A server that declines to start gives ignore, and no process is left.
-module(init_ignores).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    ignore = gen_server:start({local, declining}, ?MODULE, [], []),
    ?assertEqual(undefined, whereis(declining)).

init(_) -> ignore.
handle_call(_, _From, S) -> {reply, ok, S}.
handle_cast(_, S) -> {noreply, S}.
