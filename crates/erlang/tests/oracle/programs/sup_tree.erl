-module(sup_tree).
-export([main/0, init/1, start_worker/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

main() ->
    register(main, self()),
    process_flag(trap_exit, true),
    {ok, Top} = supervisor:start_link({local, top}, ?MODULE, top),
    expect(begun), expect(begun), expect(begun),
    io:format("~p~n~p~n", [running(top), supervisor:count_children(top)]),
    io:format("~p~n", [running(left)]),
    %% The lower supervisor gives up, the upper one starts it again.
    gen_server:cast(a, crash), expect(ended), expect(begun),
    gen_server:cast(a, crash), expect(ended), expect(ended), expect(begun), expect(begun),
    io:format("~p~n", [running(left)]),
    exit(whereis(left), kill),
    receive {ended, {X, R1}} -> io:format("~p~n", [{lists:member(X, [a, b]), R1}]) end,
    receive {ended, {Y, R2}} -> io:format("~p~n", [{lists:member(Y, [a, b]), R2}]) end,
    timer:sleep(100),
    exit(Top, shutdown),
    receive {'EXIT', Top, Why} -> io:format("~p~n", [Why]) end.

init(top) ->
    {ok, {#{strategy => one_for_one, intensity => 9},
          [#{id => left, type => supervisor,
             start => {supervisor, start_link, [{local, left}, ?MODULE, left]}},
           #{id => c, start => {?MODULE, start_worker, [c]}}]}};
init(left) ->
    {ok, {#{strategy => one_for_all, intensity => 1, period => 10},
          [#{id => N, start => {?MODULE, start_worker, [N]}} || N <- [a, b]]}};
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
running(Sup) -> lists:sort([{Id, is_pid(P), T, M} || {Id, P, T, M} <- supervisor:which_children(Sup)]).
