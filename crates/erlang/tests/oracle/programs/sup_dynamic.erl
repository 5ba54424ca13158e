-module(sup_dynamic).
-export([main/0, init/1, start_worker/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

main() ->
    register(main, self()),
    process_flag(trap_exit, true),
    {ok, Sup} = supervisor:start_link({local, sup}, ?MODULE, sup),
    io:format("~p~n", [supervisor:which_children(sup)]),
    Spec = fun(N) -> #{id => N, start => {?MODULE, start_worker, [N]}, restart => transient} end,
    {ok, A} = supervisor:start_child(sup, Spec(a)), expect(begun),
    {error, {already_started, A}} = supervisor:start_child(sup, Spec(a)),
    {ok, _} = supervisor:start_child(sup, Spec(b)), expect(begun),
    io:format("~p~n", [running(sup)]),
    io:format("~p~n", [supervisor:delete_child(sup, a)]),
    io:format("~p~n", [supervisor:restart_child(sup, a)]),
    io:format("~p~n", [supervisor:terminate_child(sup, a)]), expect(ended),
    io:format("~p~n", [running(sup)]),
    io:format("~p~n", [supervisor:start_child(sup, Spec(a))]),
    {ok, _} = supervisor:restart_child(sup, a), expect(begun),
    ok = supervisor:terminate_child(sup, a), expect(ended),
    io:format("~p~n", [supervisor:delete_child(sup, a)]),
    io:format("~p~n", [[supervisor:F(sup, a) || F <- [delete_child, restart_child, terminate_child]]]),
    io:format("~p~n", [supervisor:get_childspec(sup, b)]),
    io:format("~p~n", [supervisor:start_child(sup, #{id => z})]),
    io:format("~p~n", [supervisor:start_child(sup, #{start => z})]),
    io:format("~p~n", [supervisor:start_child(sup, Spec(ignored))]),
    io:format("~p~n", [supervisor:start_child(sup, Spec(refused))]),
    io:format("~p~n", [supervisor:start_child(sup, (Spec(ignored))#{id => t, restart => temporary})]),
    io:format("~p~n~p~n", [running(sup), supervisor:count_children(sup)]),
    io:format("~p~n", [supervisor:check_childspecs([Spec(x), Spec(y)])]),
    io:format("~p~n", [supervisor:check_childspecs([Spec(x), Spec(x)])]),
    io:format("~p~n", [supervisor:check_childspecs([(Spec(x))#{restart => often}])]),
    exit(Sup, shutdown),
    expect(ended),
    receive {'EXIT', Sup, Why} -> io:format("~p~n", [Why]) end.

init(sup) -> {ok, {#{}, []}};
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
running(Sup) -> lists:sort([{Id, is_pid(P), T, M} || {Id, P, T, M} <- supervisor:which_children(Sup)]).
