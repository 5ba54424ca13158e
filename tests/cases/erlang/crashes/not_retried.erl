%! supervisor: not_retried:start_link/0
%! crash: worker
%! verdict: abnormal_exit
%% The worker is started again, but the client has asked the one that died.
-module(not_retried).
-behaviour(supervisor).
-export([start_link/0, init/1]).
-export([start_client/0, start_worker/0, handle_call/3, handle_cast/2]).

start_link() -> supervisor:start_link(not_retried, tree).

init(tree) ->
    Client = #{id => client, start => {not_retried, start_client, []}, restart => temporary},
    Worker = #{id => worker, start => {not_retried, start_worker, []}},
    {ok, {#{strategy => one_for_one}, [Client, Worker]}};
init(worker) ->
    catch client ! {up, self()},
    {ok, 42}.

start_client() ->
    Pid = spawn_link(fun client/0),
    register(client, Pid),
    {ok, Pid}.

start_worker() -> gen_server:start_link(not_retried, worker, []).

handle_call(read, _, State) -> {reply, State, State}.
handle_cast(_, State) -> {noreply, State}.

client() ->
    receive {up, Worker} -> ok end,
    42 = gen_server:call(Worker, read, infinity).
