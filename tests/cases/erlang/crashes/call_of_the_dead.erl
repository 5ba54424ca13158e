%! run: call_of_the_dead:test/0
%! crash: server
%! verdict: abnormal_exit
%% A call to a server that dies exits with the reason of the crash, or with noproc if it comes later.
-module(call_of_the_dead).
-behaviour(gen_server).
-export([test/0, init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, _} = gen_server:start({local, server}, call_of_the_dead, [], []),
    42 = gen_server:call(server, read, infinity),
    gen_server:cast(server, stop).

init(_) -> {ok, 42}.
handle_call(read, _, State) -> {reply, State, State}.
handle_cast(stop, State) -> {stop, normal, State}.
