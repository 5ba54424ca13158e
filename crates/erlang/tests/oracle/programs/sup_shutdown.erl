-module(sup_shutdown).
-export([main/0, init/1, start_worker/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

main() ->
    register(main, self()),
    process_flag(trap_exit, true),
    [one(K) || K <- [brutal_kill, 10, infinity, 500]].

%% One child that takes 50 ms to end, and each way to make it.
one(Shutdown) ->
    {ok, Sup} = supervisor:start_link(?MODULE, Shutdown),
    expect(begun),
    Ref = monitor(process, slow),
    exit(Sup, shutdown),
    receive {'DOWN', Ref, _, _, Why} -> io:format("~p: ~p~n", [Shutdown, Why]) end,
    receive {'EXIT', Sup, How} -> io:format("~p~n", [How]) end,
    receive {ended, Name} -> io:format("ended ~p~n", [Name]) after 100 -> io:format("not ended~n") end.

init({worker, Name}) ->
    process_flag(trap_exit, true),
    note(begun, Name),
    {ok, Name};
init(Shutdown) ->
    {ok, {#{}, [#{id => slow, start => {?MODULE, start_worker, [slow]}, shutdown => Shutdown}]}}.

%% A worker that tells how it begins and ends.
start_worker(Name) -> gen_server:start_link({local, Name}, ?MODULE, {worker, Name}, []).

handle_call(stop, _, S) -> {stop, normal, ok, S};
handle_call(shutdown, _, S) -> {stop, {shutdown, asked}, ok, S};
handle_call(pid, _, S) -> {reply, self(), S}.
handle_cast(crash, _) -> exit(crashed);
handle_cast(error, _) -> error(crashed).
handle_info(_, S) -> {noreply, S}.
terminate(Reason, Name) -> timer:sleep(50), note(ended, {Name, Reason}).

note(What, Name) ->
    case whereis(main) of
        undefined -> ok;
        Pid -> Pid ! {What, Name}
    end.

expect(What) -> receive {What, Name} -> io:format("~p ~p~n", [What, Name]) after 10000 -> io:format("no ~p~n", [What]) end.
