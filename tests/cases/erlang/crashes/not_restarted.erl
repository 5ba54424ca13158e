%! supervisor: not_restarted:start_link/0
%! crash: worker
%! restart: false
%! verdict: deadlock
%% As retried, but the supervisor is not told: the client waits for a worker that does not come.
-module(not_restarted).
-behaviour(supervisor).
-export([start_link/0, init/1]).
-export([start_client/0, start_worker/0, handle_call/3, handle_cast/2]).

start_link() -> supervisor:start_link(not_restarted, tree).

init(tree) ->
    Client = #{id => client, start => {not_restarted, start_client, []}, restart => temporary},
    Worker = #{id => worker, start => {not_restarted, start_worker, []}},
    {ok, {#{strategy => one_for_one}, [Client, Worker]}};
init(worker) ->
    catch client ! {up, self()},
    {ok, 42}.

start_client() ->
    Pid = spawn_link(fun client/0),
    register(client, Pid),
    {ok, Pid}.

start_worker() -> gen_server:start_link(not_restarted, worker, []).

handle_call(read, _, State) -> {reply, State, State}.
handle_cast(_, State) -> {noreply, State}.

client() ->
    receive {up, Worker} -> ok end,
    try gen_server:call(Worker, read, infinity) of
        42 -> ok
    catch
        exit:_ -> client()
    end.
