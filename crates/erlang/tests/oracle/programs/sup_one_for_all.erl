-module(sup_one_for_all).
-export([main/0, init/1, start_worker/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

main() ->
    register(main, self()),
    process_flag(trap_exit, true),
    {ok, Sup} = supervisor:start_link(?MODULE, sup),
    expect(begun), expect(begun), expect(begun),
    gen_server:cast(b, crash),
    expect(ended), expect(ended), expect(ended),
    expect(begun), expect(begun), expect(begun),
    io:format("~p~n", [running(Sup)]),
    gen_server:call(c, stop),
    expect(ended), expect(ended), expect(ended),
    expect(begun), expect(begun), expect(begun),
    io:format("~p~n", [supervisor:count_children(Sup)]),
    gen_server:cast(a, error),
    receive {ended, {a, {crashed, [_ | _]}}} -> io:format("error~n") end,
    expect(ended), expect(ended),
    %% That was one too many: the supervisor gives up.
    receive {'EXIT', Sup, Why} -> io:format("~p~n", [Why]) end,
    quiet().

init(sup) ->
    {ok, {{one_for_all, 2, 60},
          [#{id => N, start => {?MODULE, start_worker, [N]}} || N <- [a, b, c]]}};
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
