%% A server that calls itself.
-module(gen_server_self_call).
-export([main/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, P} = gen_server:start({local, narcissus}, ?MODULE, [], []),
    M = monitor(process, P),
    p(try gen_server:call(P, self_call) catch exit:{R, _} -> R end),
    receive {'DOWN', M, _, _, D} -> p(D) end.

init([]) -> {ok, s}.
handle_call(self_call, _, S) ->
    R = try gen_server:call(self(), x) catch exit:{E, _} -> E end,
    {stop, normal, R, S}.
handle_cast(_, S) -> {noreply, S}.

p(X) -> io:format("~p~n", [X]).
