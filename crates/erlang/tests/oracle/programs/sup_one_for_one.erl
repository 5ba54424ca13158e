-module(sup_one_for_one).
-export([main/0, init/1, start_worker/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

main() ->
    register(main, self()),
    process_flag(trap_exit, true),
    {ok, Sup} = supervisor:start_link({local, sup}, ?MODULE, sup),
    expect(begun), expect(begun), expect(begun),
    io:format("~p~n~p~n", [running(sup), supervisor:count_children(sup)]),
    %% permanent: always again
    gen_server:cast(a, crash), expect(ended), expect(begun),
    gen_server:call(a, stop), expect(ended), expect(begun),
    %% transient: only after a crash
    gen_server:cast(b, crash), expect(ended), expect(begun),
    gen_server:call(b, stop), expect(ended), quiet(),
    io:format("~p~n", [running(sup)]),
    %% temporary: never
    gen_server:cast(c, crash), expect(ended), quiet(),
    io:format("~p~n~p~n", [running(sup), supervisor:count_children(sup)]),
    {ok, _} = supervisor:restart_child(sup, b), expect(begun),
    exit(whereis(b), kill), expect(begun),
    gen_server:call(b, shutdown), expect(ended), quiet(),
    unlink(Sup), exit(Sup, shutdown), expect(ended), quiet(),
    io:format("~p~n", [whereis(a)]).

init(sup) ->
    {ok, {#{strategy => one_for_one, intensity => 10, period => 60},
          [#{id => a, start => {?MODULE, start_worker, [a]}},
           #{id => b, start => {?MODULE, start_worker, [b]}, restart => transient},
           {c, {?MODULE, start_worker, [c]}, temporary, 1000, worker, [?MODULE]}]}};
init({worker, Name}) ->
    process_flag(trap_exit, true),
    note(begun, Name),
    {ok, Name}.

%% A worker that tells how it begins and ends.
start_worker(Name) -> gen_server:start_link({local, Name}, ?MODULE, {worker, Name}, []).

handle_call(stop, _, S) -> {stop, normal, ok, S};
handle_call(shutdown, _, S) -> {stop, {shutdown, asked}, ok, S};
handle_call(pid, _, S) -> {reply, self(), S}.
handle_cast(crash, _) -> exit(crashed);
handle_cast(error, _) -> error(crashed).
handle_info(_, S) -> {noreply, S}.
terminate(Reason, Name) -> note(ended, {Name, Reason}).

note(What, Name) ->
    case whereis(main) of
        undefined -> ok;
        Pid -> Pid ! {What, Name}
    end.

expect(What) -> receive {What, Name} -> io:format("~p ~p~n", [What, Name]) after 10000 -> io:format("no ~p~n", [What]) end.
quiet() -> receive {What, Name} when What =/= 'EXIT' -> io:format("unexpected ~p ~p~n", [What, Name]) after 20 -> io:format("quiet~n") end.
running(Sup) -> lists:sort([{Id, is_pid(P), T, M} || {Id, P, T, M} <- supervisor:which_children(Sup)]).
