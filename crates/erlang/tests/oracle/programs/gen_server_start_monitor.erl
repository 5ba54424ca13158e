%% start_monitor, abcast and multi_call on the one node.
-module(gen_server_start_monitor).
-export([main/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, {P, M}} = gen_server:start_monitor({local, monitored}, ?MODULE, 0, []),
    p(gen_server:abcast([node()], monitored, bump)),
    p(gen_server:call(P, get)),
    {Replies, Bad} = gen_server:multi_call([node()], monitored, get),
    p({[R || {_, R} <- Replies], Bad}),
    gen_server:cast(P, stop),
    receive {'DOWN', M, process, P, R} -> p(R) end.

init(N) -> {ok, N}.
handle_call(get, _, N) -> {reply, N, N}.
handle_cast(bump, N) -> {noreply, N + 1};
handle_cast(stop, N) -> {stop, finished, N}.

p(X) -> io:format("~p~n", [X]).
