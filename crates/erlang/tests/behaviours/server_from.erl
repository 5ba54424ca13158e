-module(server_from).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).

%% A lock: callers wait for their turn; one that dies gives its turn up.
main() ->
    {ok, _} = gen_server:start_link({local, lock}, ?MODULE, [], []),
    Self = self(),
    ok = gen_server:call(lock, acquire),
    P = spawn(fun() -> ok = gen_server:call(lock, acquire), Self ! got, receive after infinity -> ok end end),
    Q = spawn(fun() -> receive go -> ok end, ok = gen_server:call(lock, acquire), Self ! got_too,
                       ok = gen_server:call(lock, release), Self ! released end),
    receive got -> io:format("too early~n") after 20 -> io:format("waits~n") end,
    ok = gen_server:call(lock, release),
    receive got -> io:format("got~n") end,
    Q ! go,
    receive got_too -> io:format("too early~n") after 20 -> io:format("waits~n") end,
    exit(P, kill),
    receive got_too -> io:format("got too~n") end,
    receive released -> io:format("released~n") end,
    io:format("~p~n", [sys:get_state(lock)]).

init([]) -> {ok, {free, []}}.
handle_call(acquire, {Pid, _}, {free, []}) -> {reply, ok, {{Pid, monitor(process, Pid)}, []}};
handle_call(acquire, From, {Owner, Waiting}) -> {noreply, {Owner, Waiting ++ [From]}};
handle_call(release, {Pid, _}, {{Pid, Ref}, Waiting}) ->
    demonitor(Ref, [flush]),
    {reply, ok, next(Waiting)}.
handle_cast(_, S) -> {noreply, S}.
handle_info({'DOWN', Ref, _, Pid, _}, {{Pid, Ref}, Waiting}) -> {noreply, next(Waiting)}.

next([]) -> {free, []};
next([{Pid, _} = From | Rest]) ->
    gen_server:reply(From, ok),
    {{Pid, monitor(process, Pid)}, Rest}.
