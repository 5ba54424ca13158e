-module(server_chain).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

%% Linked servers, each calling the next; the end of one takes the others along.
main() ->
    process_flag(trap_exit, true),
    {ok, C} = gen_server:start_link({local, c}, ?MODULE, none, []),
    {ok, B} = gen_server:start_link({local, b}, ?MODULE, c, []),
    {ok, A} = gen_server:start_link({local, a}, ?MODULE, b, []),
    io:format("~p~n", [gen_server:call(a, {sum, 1})]),
    Refs = [monitor(process, P) || P <- [A, B, C]],
    gen_server:cast(c, stop),
    io:format("~p~n", [[receive {'DOWN', R, _, _, Why} -> Why end || R <- Refs]]),
    io:format("~p~n", [[receive {'EXIT', P, Why} -> Why end || P <- [A, B, C]]]),
    io:format("~p~n", [[whereis(N) || N <- [a, b, c]]]).

init(none) -> {ok, none};
init(Next) -> link(whereis(Next)), {ok, Next}.
handle_call({sum, N}, _, none) -> {reply, N, none};
handle_call({sum, N}, _, Next) -> {reply, N + gen_server:call(Next, {sum, N + 1}), Next}.
handle_cast(stop, S) -> {stop, enough, S}.
handle_info(_, S) -> {noreply, S}.
terminate(_, _) -> ok.
