%% call, cast, info and stop of a gen_server.
-module(gen_server_basic).
-export([main/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

main() ->
    {ok, Pid} = gen_server:start_link(?MODULE, 10, []),
    p(gen_server:call(Pid, get)), p(gen_server:cast(Pid, {add, 5})), p(gen_server:call(Pid, get)),
    Pid ! {add, 1},
    p(gen_server:call(Pid, get, 1000)),
    p(gen_server:call(Pid, {set, 3})),
    p(gen_server:call(Pid, get, infinity)),
    p(gen_server:stop(Pid)),
    p(is_process_alive(Pid)).

init(N) -> {ok, N}.
handle_call(get, _From, N) -> {reply, N, N};
handle_call({set, M}, _From, N) -> {reply, {was, N}, M}.
handle_cast({add, M}, N) -> {noreply, N + M}.
handle_info({add, M}, N) -> {noreply, N + M}.
terminate(Reason, N) -> p({terminate, Reason, N}).

p(X) -> io:format("~p~n", [X]).
