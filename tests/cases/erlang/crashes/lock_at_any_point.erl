%! supervisor: lock_at_any_point:start_link/0
%! crash: client_1
%! verdict: holds
%% The lock of lock_that_watches, where a client may die at every point and the supervisor is told.
-module(lock_at_any_point).
-behaviour(supervisor).
-export([start_link/0, init/1]).
-export([start_server/0, start_client/0, handle_call/3, handle_cast/2, handle_info/2]).

start_link() -> supervisor:start_link(lock_at_any_point, tree).

init(tree) ->
    Server = #{id => server, start => {lock_at_any_point, start_server, []}},
    Clients = [#{id => {client, N}, start => {lock_at_any_point, start_client, []}, restart => temporary} || N <- [1, 2]],
    {ok, {#{strategy => one_for_one}, [Server | Clients]}};
init(server) ->
    process_flag(trap_exit, true),
    {ok, []}.

start_server() -> gen_server:start_link({local, server}, lock_at_any_point, server, []).
start_client() -> {ok, spawn_link(fun client/0)}.

client() ->
    ok = gen_server:call(server, request, infinity),
    foresee:action(use, [self()]),
    done = gen_server:call(server, release, infinity).

handle_call(request, {Pid, _} = Client, Queue) ->
    link(Pid),
    case Queue of
        [] -> {reply, ok, [Client]};
        _ -> {noreply, Queue ++ [Client]}
    end;
handle_call(release, _, [_]) -> {reply, done, []};
handle_call(release, _, [_, Next | Rest]) ->
    gen_server:reply(Next, ok),
    {reply, done, [Next | Rest]}.

handle_cast(_, Queue) -> {noreply, Queue}.

handle_info({'EXIT', Pid, _}, [{Pid, _}, Next | Rest]) ->
    gen_server:reply(Next, ok),
    {noreply, [Next | Rest]};
handle_info({'EXIT', Pid, _}, Queue) -> {noreply, lists:keydelete(Pid, 1, Queue)}.
