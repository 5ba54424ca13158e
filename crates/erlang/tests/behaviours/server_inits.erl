-module(server_inits).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2, handle_continue/2]).

main() ->
    process_flag(trap_exit, true),
    io:format("~p~n", [gen_server:start_link({local, s}, ?MODULE, {stop, no}, [])]),
    receive {'EXIT', _, R1} -> io:format("exit ~p~n", [R1]) end,
    io:format("~p~n", [gen_server:start_link({local, s}, ?MODULE, ignore, [])]),
    receive {'EXIT', _, R2} -> io:format("exit ~p~n", [R2]) end,
    io:format("~p~n", [gen_server:start_link(?MODULE, odd, [])]),
    receive {'EXIT', _, R3} -> io:format("exit ~p~n", [R3]) end,
    {error, {bad, [_ | _]}} = gen_server:start_link(?MODULE, {error, bad}, []),
    receive {'EXIT', _, {bad, [_ | _]}} -> io:format("exit bad~n") end,
    io:format("~p~n", [gen_server:start_link(?MODULE, {exit, why}, [])]),
    receive {'EXIT', _, R5} -> io:format("exit ~p~n", [R5]) end,
    io:format("~p~n", [gen_server:start(?MODULE, {stop, no}, [])]),
    io:format("~p~n", [gen_server:start(?MODULE, {exit, why}, [])]),
    io:format("~p~n", [gen_server:start_monitor(?MODULE, {stop, no}, [])]),
    io:format("~p~n", [gen_server:start(?MODULE, slow, [{timeout, 5}])]),
    {ok, {Pid, Ref}} = gen_server:start_monitor({local, s}, ?MODULE, {ok, 1}, []),
    exit(Pid, kill),
    receive {'DOWN', Ref, process, Pid, R6} -> io:format("down ~p~n", [R6]) end,
    {ok, T} = gen_server:start_link(?MODULE, {ok, 1, 5}, []),
    timer:sleep(20),
    io:format("~p~n", [gen_server:call(T, get)]),
    {ok, C} = gen_server:start_link(?MODULE, {ok, 1, {continue, more}}, []),
    io:format("~p~n", [gen_server:call(C, get)]),
    {ok, H} = gen_server:start_link(?MODULE, {ok, 1, hibernate}, []),
    io:format("~p~n", [gen_server:call(H, get)]),
    io:format("~p~n", [gen_server:call(H, timed)]),
    timer:sleep(30),
    io:format("~p~n", [gen_server:call(H, get)]),
    io:format("~p~n", [gen_server:call(H, continued)]),
    io:format("~p~n", [gen_server:call(H, get)]),
    [gen_server:stop(P) || P <- [T, C, H]],
    flush().

flush() -> receive {'EXIT', _, R} -> io:format("exit ~p~n", [R]), flush() after 10 -> ok end.

init({stop, R}) -> {stop, R};
init({error, R}) -> error(R);
init({exit, R}) -> exit(R);
init(slow) -> timer:sleep(100), {ok, 1};
init(Other) -> Other.
handle_call(timed, _, N) -> {reply, ok, N, 5};
handle_call(continued, _, N) -> {reply, ok, N, {continue, more}};
handle_call(get, _, N) -> {reply, N, N}.
handle_cast(_, N) -> {noreply, N}.
handle_info(timeout, N) -> {noreply, N + 100}.
handle_continue(more, N) -> {noreply, N + 1000}.
