%! run: never_stopped:test/0
%! verdict: deadlock
%% A server that nobody stops waits for ever.
-module(never_stopped).
-export([test/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, S} = gen_server:start(?MODULE, [], []),
    gen_server:cast(S, hello).

init(S) -> {ok, S}.
handle_call(_, _From, S) -> {reply, ok, S}.
handle_cast(hello, S) -> {noreply, S}.
