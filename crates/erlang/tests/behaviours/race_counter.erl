%% Two clients read and write a counter through a server, once with the behaviour and once with plain receives.
-module(race_counter).
-export([behaviour/0, loops/0, init/1, handle_call/3, handle_cast/2]).

behaviour() ->
    {ok, Server} = gen_server:start(?MODULE, 0, []),
    run(Server, fun gen_server:call/2, fun gen_server:cast/2).

loops() ->
    Server = spawn(fun() -> loop(0) end),
    run(Server, fun call/2, fun(S, Request) -> S ! {cast, Request}, ok end).

run(Server, Call, Cast) ->
    Self = self(),
    Client = fun(N) -> fun() ->
                 Old = Call(Server, get),
                 Cast(Server, {set, Old + N}),
                 Self ! {done, N, Old}
             end end,
    spawn(Client(1)),
    spawn(Client(10)),
    A = receive {done, 1, X} -> X end,
    B = receive {done, 10, Y} -> Y end,
    exit({result, A, B, Call(Server, get)}).

init(N) -> {ok, N}.
handle_call(get, _, N) -> {reply, N, N}.
handle_cast({set, N}, _) -> {noreply, N}.

loop(N) ->
    receive
        {call, {From, Ref}, get} -> From ! {Ref, N}, loop(N);
        {cast, {set, M}} -> loop(M)
    end.

call(Server, Request) ->
    Ref = monitor(process, Server),
    Server ! {call, {self(), Ref}, Request},
    receive
        {Ref, Reply} -> demonitor(Ref, [flush]), Reply;
        {'DOWN', Ref, _, _, Reason} -> exit(Reason)
    end.
