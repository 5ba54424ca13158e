-module(sup_failures).
-export([main/0, init/1, start_worker/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

main() ->
    register(main, self()),
    process_flag(trap_exit, true),
    [one(K) || K <- [ignore, rubbish, {ok, rubbish}, {ok, {#{strategy => two_for_one}, []}},
                     {ok, {#{intensity => -1}, []}}, {ok, {#{period => 0}, []}},
                     {ok, {#{}, [#{id => a}]}}, {ok, {#{}, [spec(a), spec(a)]}},
                     {ok, {#{}, [spec(a), spec(b), spec(refused), spec(c)]}},
                     {ok, {#{}, [spec(a), spec(odd)]}},
                     {ok, {#{strategy => simple_one_for_one}, []}}]],
    io:format("~p~n", [element(1, catch supervisor:which_children(nobody))]).

spec(N) -> #{id => N, start => {?MODULE, start_worker, [N]}}.

one(What) ->
    io:format("~p~n", [supervisor:start_link(?MODULE, What)]),
    drain().

drain() ->
    receive
        {'EXIT', _, R} -> io:format("exit ~p~n", [R]), drain();
        {What, N} -> io:format("~p ~p~n", [What, N]), drain()
    after 10 -> ok
    end.

init({worker, refused}) -> {stop, refused};
init({worker, odd}) -> odd;
init({worker, Name}) ->
    process_flag(trap_exit, true),
    note(begun, Name),
    {ok, Name};
init(What) -> What.

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

