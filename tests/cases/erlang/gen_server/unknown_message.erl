%! run: unknown_message:test/0
%! verdict: abnormal_exit
%% A handle_info without a clause for a stray message ends the server.
-module(unknown_message).
-export([test/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

test() ->
    {ok, S} = gen_server:start(?MODULE, [], []),
    S ! stray.

init(S) -> {ok, S}.
handle_call(_, _From, S) -> {reply, ok, S}.
handle_cast(_, S) -> {noreply, S}.
handle_info(known, S) -> {stop, normal, S}.
