-module(sup_restart_fails).
-export([main/0, init/1, start_worker/1, handle_call/3, handle_cast/2]).

%% A child that cannot be started again at first, and one that never can.
main() ->
    process_flag(trap_exit, true),
    ets:new(luck, [named_table, public]),
    ets:insert(luck, {fails, 0}),
    {ok, Sup} = supervisor:start_link(?MODULE, sup),
    ets:insert(luck, {fails, 2}),
    gen_server:cast(w, crash),
    timer:sleep(50),
    io:format("~p ~p~n", [gen_server:call(w, hello), ets:lookup(luck, fails)]),
    ets:insert(luck, {fails, 1000}),
    gen_server:cast(w, crash),
    receive {'EXIT', Sup, Why} -> io:format("~p~n", [Why]) end,
    io:format("~p~n", [ets:lookup(luck, fails)]).

start_worker(Name) ->
    case ets:lookup(luck, fails) of
        [{fails, 0}] -> gen_server:start_link({local, Name}, ?MODULE, Name, []);
        [{fails, N}] -> ets:insert(luck, {fails, N - 1}), {error, unlucky}
    end.

init(sup) -> {ok, {#{intensity => 6, period => 100}, [#{id => w, start => {?MODULE, start_worker, [w]}}]}};
init(Name) -> {ok, Name}.
handle_call(hello, _, N) -> {reply, {hello, N}, N}.
handle_cast(crash, _) -> exit(crash).
