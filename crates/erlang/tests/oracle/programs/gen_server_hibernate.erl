%% hibernate in returns changes nothing that can be seen.
-module(gen_server_hibernate).
-export([main/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, P} = gen_server:start_link(?MODULE, 1, []),
    p(gen_server:call(P, double)), gen_server:cast(P, double), p(gen_server:call(P, double)),
    gen_server:stop(P).

init(N) -> {ok, N, hibernate}.
handle_call(double, _, N) -> {reply, N * 2, N * 2, hibernate}.
handle_cast(double, N) -> {noreply, N * 2, hibernate}.

p(X) -> io:format("~p~n", [X]).
