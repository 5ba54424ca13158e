%! supervisor: lock_that_watches:start_link/0
%! crash: client_*
%! crash-points: calls
%! restart: false
%! verdict: holds
%% A lock whose clients may die at their calls: who waits behind a dead holder gets the lock.
-module(lock_that_watches).
-behaviour(supervisor).
-export([start_link/0, init/1]).
-export([start_server/0, start_client/0, handle_call/3, handle_cast/2, handle_info/2]).

start_link() -> supervisor:start_link(lock_that_watches, tree).

init(tree) ->
    Server = #{id => server, start => {lock_that_watches, start_server, []}},
    Clients = [#{id => {client, N}, start => {lock_that_watches, start_client, []}, restart => temporary} || N <- [1, 2]],
    {ok, {#{strategy => one_for_one}, [Server | Clients]}};
init(server) ->
    process_flag(trap_exit, true),
    {ok, []}.

start_server() -> gen_server:start_link({local, server}, lock_that_watches, server, []).
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
