%! run: stops_itself:test/0
%! verdict: holds
%% A server may end itself from a callback.
-module(stops_itself).
-export([test/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, S} = gen_server:start(?MODULE, [], []),
    gen_server:cast(S, enough).

init(S) -> {ok, S}.
handle_call(_, _From, S) -> {reply, ok, S}.
handle_cast(enough, S) -> {stop, normal, S}.
