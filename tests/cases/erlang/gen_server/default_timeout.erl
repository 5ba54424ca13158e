%! run: default_timeout:test/0
%! verdict: abnormal_exit
%% A call without a timeout of its own gives up after five seconds, and a slow machine may take longer.
-module(default_timeout).
-export([test/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, S} = gen_server:start_link(?MODULE, [], []),
    pong = gen_server:call(S, ping),
    gen_server:stop(S).

init(S) -> {ok, S}.
handle_call(ping, _From, S) -> {reply, pong, S}.
handle_cast(_, S) -> {noreply, S}.
