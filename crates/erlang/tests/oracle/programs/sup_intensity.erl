-module(sup_intensity).
-export([main/0, init/1, start_worker/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

main() ->
    register(main, self()),
    process_flag(trap_exit, true),
    {ok, Sup} = supervisor:start_link(?MODULE, sup),
    expect(begun),
    %% Two restarts within the period are allowed; slowly there may be many.
    crash(), timer:sleep(2200), crash(), timer:sleep(2200), crash(), timer:sleep(2200), crash(),
    io:format("still ~p~n", [is_process_alive(Sup)]),
    gen_server:cast(a, crash), expect(ended), expect(begun),
    gen_server:cast(a, crash), expect(ended),
    receive {'EXIT', Sup, Why} -> io:format("~p~n", [Why]) end,
    quiet().

crash() -> gen_server:cast(a, crash), expect(ended), expect(begun).

init(sup) ->
    {ok, {#{intensity => 2, period => 1}, [#{id => a, start => {?MODULE, start_worker, [a]}}]}};
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
