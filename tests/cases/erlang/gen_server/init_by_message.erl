%! run: init_by_message:test/0
%! verdict: assertion
%% A message to oneself from init comes after a call that is already there.
-module(init_by_message).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

test() ->
    Self = self(),
    spawn(fun() ->
        {ok, _} = gen_server:start({local, loader}, ?MODULE, Self, [])
    end),
    receive here -> ok end,
    R = gen_server:call(loader, state, infinity),
    gen_server:stop(loader),
    ?assertEqual(loaded, R).

init(Boss) -> Boss ! here, self() ! load, {ok, empty}.
handle_call(state, _From, S) -> {reply, S, S}.
handle_cast(_, S) -> {noreply, S}.
handle_info(load, empty) -> {noreply, loaded}.
