%! run: calls_itself:test/0
%! verdict: abnormal_exit
%% A server that calls itself from a callback would wait for itself; the call exits at once.
-module(calls_itself).
-export([test/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, S} = gen_server:start_link(?MODULE, [], []),
    gen_server:call(S, outer, infinity).

init(S) -> {ok, S}.
handle_call(outer, _From, S) -> {reply, gen_server:call(self(), inner, infinity), S};
handle_call(inner, _From, S) -> {reply, ok, S}.
handle_cast(_, S) -> {noreply, S}.
