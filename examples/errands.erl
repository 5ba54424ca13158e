%% Workers run errands for callers; a keeper knows which of them are free. `ask/2` borrows one from the keeper and sends it the
%% errand; `hand_in/2` gives the errand to the keeper, which passes it on.
-module(errands).
-behaviour(gen_server).

-export([start/1, ask/2, hand_in/2, lost_test/0, kept_test/0, main/0]).
-export([init/1, handle_call/3, handle_cast/2]).

-foresee_options([{treat_as_normal, [shutdown, killed]}]).

start(Workers) ->
    gen_server:start(?MODULE, Workers, []).

ask(Keeper, Errand) ->
    Worker = gen_server:call(Keeper, borrow, infinity),
    Tag = make_ref(),
    Worker ! {errand, {self(), Tag}, Errand},
    receive {Tag, Answer} -> Answer end.

hand_in(Keeper, Errand) ->
    gen_server:call(Keeper, {errand, Errand}, infinity).

%% The keeper: free workers, and callers that wait for one.

init(Workers) ->
    Keeper = self(),
    [spawn_link(fun() -> work(Keeper) end) || _ <- lists:seq(1, Workers)],
    {ok, {[], []}}.

handle_call(Wish, Caller, {Free, Waiting}) ->
    {noreply, serve(Free, Waiting ++ [{Wish, Caller}])}.

handle_cast({free, Worker}, {Free, Waiting}) ->
    {noreply, serve(Free ++ [Worker], Waiting)}.

serve([Worker | Free], [{Wish, {Pid, _} = Caller} | Waiting]) ->
    %% The caller may have died while it waited.
    case is_process_alive(Pid) of
        true -> lend(Wish, Worker, Caller), serve(Free, Waiting);
        false -> serve([Worker | Free], Waiting)
    end;
serve(Free, Waiting) ->
    {Free, Waiting}.

lend(borrow, Worker, Caller) -> gen_server:reply(Caller, Worker);
lend({errand, Errand}, Worker, Caller) -> Worker ! {errand, Caller, Errand}.

work(Keeper) ->
    gen_server:cast(Keeper, {free, self()}),
    receive {errand, Caller, Errand} -> gen_server:reply(Caller, Errand()) end,
    work(Keeper).

%% One worker, and a caller that is killed.

lost_test() -> killed(fun ask/2).

kept_test() -> killed(fun hand_in/2).

killed(How) ->
    {ok, Keeper} = start(1),
    {Hasty, Monitor} = spawn_monitor(fun() -> How(Keeper, fun() -> tea end) end),
    exit(Hasty, kill),
    receive {'DOWN', Monitor, process, Hasty, _} -> ok end,
    coffee = How(Keeper, fun() -> coffee end),
    gen_server:stop(Keeper, shutdown, infinity).

%% For a real Erlang: how many killed callers does it take?
main() ->
    io:format("the worker is lost with killed caller number ~p~n", [killed_callers(1)]).

killed_callers(N) ->
    {ok, Keeper} = start(1),
    Hasty = spawn(fun() -> ask(Keeper, fun() -> tea end) end),
    [erlang:yield() || _ <- lists:seq(1, N rem 10)],
    exit(Hasty, kill),
    {Asking, Monitor} = spawn_monitor(fun() -> ask(Keeper, fun() -> coffee end) end),
    receive
        {'DOWN', Monitor, process, Asking, normal} ->
            gen_server:stop(Keeper, shutdown, infinity),
            killed_callers(N + 1)
    after 1000 -> N
    end.
