-module(sup_simple).
-export([main/0, init/1, start_worker/1, start_worker/2, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

main() ->
    register(main, self()),
    process_flag(trap_exit, true),
    {ok, Sup} = supervisor:start_link(?MODULE, sup),
    {ok, A} = supervisor:start_child(Sup, [a]), expect(begun),
    {ok, B} = supervisor:start_child(Sup, [b]), expect(begun),
    io:format("~p~n", [supervisor:start_child(Sup, [refused])]),
    io:format("~p~n", [supervisor:start_child(Sup, [ignored])]),
    io:format("~p~n", [running(Sup)]),
    io:format("~p~n", [supervisor:count_children(Sup)]),
    gen_server:cast(A, crash), expect(ended), expect(begun),
    gen_server:call(B, stop), expect(ended), quiet(),
    io:format("~p~n", [supervisor:count_children(Sup)]),
    io:format("~p~n", [supervisor:terminate_child(Sup, B)]),
    io:format("~p~n", [supervisor:terminate_child(Sup, whereis(a))]), expect(ended),
    io:format("~p~n", [supervisor:delete_child(Sup, a)]),
    io:format("~p~n", [supervisor:restart_child(Sup, a)]),
    io:format("~p~n", [supervisor:terminate_child(Sup, a)]),
    io:format("~p~n", [supervisor:which_children(Sup)]),
    {ok, _} = supervisor:start_child(Sup, [c]), expect(begun),
    exit(Sup, shutdown),
    expect(ended),
    receive {'EXIT', Sup, Why} -> io:format("~p~n", [Why]) end.

start_worker(extra, Name) -> start_worker(Name).

init(sup) ->
    {ok, {#{strategy => simple_one_for_one, intensity => 3},
          [#{id => any, start => {?MODULE, start_worker, [extra]}, restart => transient}]}};
init({worker, ignored}) -> ignore;
init({worker, refused}) -> {stop, refused};
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
