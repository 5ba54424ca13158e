-module(sup_mixed).
-export([main/0, init/1, start_server/0, start_statem/0, start_events/0, start_owner/0, callback_mode/0,
         handle_call/3, handle_cast/2, handle_info/2, idle/3, busy/3]).

%% A supervisor with a server, a state machine with timeouts, an event manager and the owner of a table, each killed.
main() ->
    {ok, _} = supervisor:start_link({local, top}, ?MODULE, top),
    io:format("~p~n", [lists:sort([Id || {Id, _, _, _} <- supervisor:which_children(top)])]),
    use(),
    [again(N) || N <- [server, machine, events, owner]],
    use(),
    io:format("~p~n", [supervisor:count_children(top)]).

use() ->
    io:format("~p~n", [gen_server:call(server, next)]),
    io:format("~p~n", [gen_server:call(server, next)]),
    ok = gen_statem:call(machine, work),
    io:format("~p~n", [gen_statem:call(machine, which)]),
    timer:sleep(30),
    io:format("~p~n", [gen_statem:call(machine, which)]),
    io:format("~p~n", [gen_event:which_handlers(events)]),
    ok = gen_server:call(owner, {put, key, 1}),
    io:format("~p~n", [ets:lookup(table, key)]).

again(Name) ->
    Old = whereis(Name),
    exit(Old, kill),
    wait(Name, Old),
    io:format("~p again~n", [Name]).

wait(Name, Old) ->
    case whereis(Name) of
        New when is_pid(New), New =/= Old -> timer:sleep(10);
        _ -> timer:sleep(1), wait(Name, Old)
    end.

start_server() -> gen_server:start_link({local, server}, ?MODULE, 0, []).
start_statem() -> gen_statem:start_link({local, machine}, ?MODULE, machine, []).
start_events() -> gen_event:start_link({local, events}).
start_owner() -> gen_server:start_link({local, owner}, ?MODULE, owner, []).

init(top) ->
    {ok, {#{intensity => 10},
          [#{id => I, start => {?MODULE, F, []}} ||
              {I, F} <- [{s, start_server}, {m, start_statem}, {e, start_events}, {o, start_owner}]]}};
init(machine) -> {ok, idle, 0};
init(owner) -> table = ets:new(table, [named_table, public]), {ok, owner};
init(N) -> {ok, N}.

handle_call(next, _, N) -> {reply, N, N + 1};
handle_call({put, K, V}, _, S) -> ets:insert(table, {K, V}), {reply, ok, S}.
handle_cast(_, S) -> {noreply, S}.
handle_info(_, S) -> {noreply, S}.

callback_mode() -> state_functions.
idle({call, F}, work, N) -> {next_state, busy, N + 1, [{reply, F, ok}, {state_timeout, 10, done}]};
idle({call, F}, which, N) -> {keep_state_and_data, [{reply, F, {idle, N}}]}.
busy(state_timeout, done, N) -> {next_state, idle, N};
busy({call, F}, which, N) -> {keep_state_and_data, [{reply, F, {busy, N}}]}.
