%% A process becomes a gen_server with enter_loop.
-module(enter_loop).
-export([main/0]).
-behaviour(gen_server).
-export([start/0, loop/1, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, P} = start(),
    p(gen_server:call(P, hello)),
    p(gen_server:stop(P)).

start() -> proc_lib:start_link(?MODULE, loop, [self()]).
loop(Parent) -> proc_lib:init_ack(Parent, {ok, self()}), gen_server:enter_loop(?MODULE, [], state).
init(_) -> {ok, unused}.
handle_call(X, _, S) -> {reply, {S, X}, S}.
handle_cast(_, S) -> {noreply, S}.

p(X) -> io:format("~p~n", [X]).
