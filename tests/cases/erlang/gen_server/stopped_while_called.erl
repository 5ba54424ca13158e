%! run: stopped_while_called:test/0
%! verdict: abnormal_exit
%% One client stops the server, and the call of the other may come too late: noproc, or normal in the middle.
-module(stopped_while_called).
-export([test/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, S} = gen_server:start(?MODULE, [], []),
    spawn(fun() -> pong = gen_server:call(S, ping, infinity) end),
    gen_server:stop(S).

init(S) -> {ok, S}.
handle_call(ping, _From, S) -> {reply, pong, S}.
handle_cast(_, S) -> {noreply, S}.
