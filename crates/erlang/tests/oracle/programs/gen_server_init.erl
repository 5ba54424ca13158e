%% What init can return.
-module(gen_server_init).
-export([main/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

main() ->
    process_flag(trap_exit, true),
    p(gen_server:start_link(?MODULE, ignore, [])), p(exits()),
    p(gen_server:start_link(?MODULE, {stop, no_way}, [])), p(exits()),
    p(gen_server:start(?MODULE, {stop, normal}, [])),
    p(element(1, element(2, gen_server:start(?MODULE, crash, [])))),
    p(gen_server:start(?MODULE, exit, [])),
    p(gen_server:start(?MODULE, bad, [])),
    {ok, P} = gen_server:start(?MODULE, {timeout, self()}, []),
    receive M -> p(M) end,
    gen_server:stop(P).

exits() -> receive {'EXIT', _, R} -> {'EXIT', R} after 20 -> none end.

init(ignore) -> ignore;
init({stop, R}) -> {stop, R};
init(crash) -> error(crashed);
init(exit) -> exit(exited);
init(bad) -> nonsense;
init({timeout, P}) -> {ok, P, 5}.
handle_call(_, _, S) -> {reply, ok, S}.
handle_cast(_, S) -> {noreply, S}.
handle_info(timeout, P) -> P ! first_timeout, {noreply, P}.

p(X) -> io:format("~p~n", [X]).
