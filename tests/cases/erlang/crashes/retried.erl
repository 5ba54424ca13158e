%! supervisor: retried:start_link/0
%! crash: worker
%! verdict: holds
%% The supervisor starts the worker again, and the client, which waits for that, asks again.
-module(retried).
-behaviour(supervisor).
-export([start_link/0, init/1]).
-export([start_client/0, start_worker/0, handle_call/3, handle_cast/2]).

start_link() -> supervisor:start_link(retried, tree).

init(tree) ->
    Client = #{id => client, start => {retried, start_client, []}, restart => temporary},
    Worker = #{id => worker, start => {retried, start_worker, []}},
    {ok, {#{strategy => one_for_one}, [Client, Worker]}};
init(worker) ->
    catch client ! {up, self()},
    {ok, 42}.

start_client() ->
    Pid = spawn_link(fun client/0),
    register(client, Pid),
    {ok, Pid}.

start_worker() -> gen_server:start_link(retried, worker, []).

handle_call(read, _, State) -> {reply, State, State}.
handle_cast(_, State) -> {noreply, State}.

client() ->
    receive {up, Worker} -> ok end,
    try gen_server:call(Worker, read, infinity) of
        42 -> ok
    catch
        exit:_ -> client()
    end.
