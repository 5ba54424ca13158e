-module(server_errors).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    io:format("~p~n", [catch gen_server:call(nobody, hello)]),
    {ok, A} = gen_server:start({local, a}, ?MODULE, [], []),
    io:format("~p~n", [begin {error, {already_started, P}} = gen_server:start({local, a}, ?MODULE, [], []), P =:= A end]),
    {error, {already_started, _}} = gen_server:start_link({local, a}, ?MODULE, [], []),
    show(catch gen_server:call(a, sleep, 10)),
    show(catch gen_server:call(a, sleep)),
    show(catch gen_server:call(a, {exit, oops})),
    show(catch gen_server:call(a, hello)),
    {ok, B} = gen_server:start({local, a}, ?MODULE, [], []),
    {'EXIT', {{boom, [_ | _]}, {gen_server, call, [a, {error, boom}]}}} = (catch gen_server:call(a, {error, boom})),
    show(catch begin gen_server:call(B, x, 7) end, B),
    {ok, C} = gen_server:start(?MODULE, [], []),
    show(catch gen_server:call(C, nonsense), C),
    {ok, D} = gen_server:start(?MODULE, [], []),
    show(catch gen_server:call(D, {stop, done, bye}), D),
    {ok, E} = gen_server:start(?MODULE, [], []),
    show(catch gen_server:call(E, {stop, {shutdown, now}}), E),
    {ok, F} = gen_server:start(?MODULE, [], []),
    show(catch gen_server:call(F, self_call), F),
    ok = gen_server:cast(nobody, x),
    ok = gen_server:cast(F, x),
    show(catch gen_server:stop(nobody)),
    show(catch gen_server:stop(F)),
    {ok, G} = gen_server:start(?MODULE, [], []),
    show(catch gen_server:stop(G, finished, 100)),
    show(catch gen_server:stop(G, finished, 100)).

show(What) -> show(What, self()).
show(What, Pid) ->
    Text = lists:flatten(io_lib:format("~p", [hide(What, Pid)])),
    io:format("~s~n", [Text]).

hide(Pid, Pid) -> pid;
hide([H | T], Pid) -> [hide(H, Pid) | hide(T, Pid)];
hide(T, Pid) when is_tuple(T) -> list_to_tuple(hide(tuple_to_list(T), Pid));
hide(T, _) -> T.

init(S) -> {ok, S}.
handle_call(sleep, _, S) -> timer:sleep(20), {reply, slept, S};
handle_call({exit, R}, _, _) -> exit(R);
handle_call({error, R}, _, _) -> error(R);
handle_call({stop, R, Reply}, _, S) -> {stop, R, Reply, S};
handle_call({stop, R}, _, S) -> {stop, R, S};
handle_call(self_call, _, S) -> {reply, catch gen_server:call(self(), x), S};
handle_call(nonsense, _, _) -> nonsense;
handle_call(hello, _, S) -> {reply, hello, S}.
handle_cast(x, S) -> {noreply, S}.
