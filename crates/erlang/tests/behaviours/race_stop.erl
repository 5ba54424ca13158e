%% A server that one client stops while another asks; what does the other get?
-module(race_stop).
-export([behaviour/0, loops/0, init/1, handle_call/3, handle_cast/2]).

behaviour() ->
    {ok, Server} = gen_server:start({local, s}, ?MODULE, 0, []),
    run(Server, fun(S, R) -> try gen_server:call(S, R)
                             catch exit:{Reason, {gen_server, call, _}} -> Reason
                             end end,
        fun gen_server:cast/2).

loops() ->
    Self = self(),
    Server = spawn(fun() -> register(s, self()), Self ! ready, loop() end),
    receive ready -> ok end,
    run(Server, fun call/2, fun(S, Request) -> S ! {cast, Request}, ok end).

run(Server, Call, Cast) ->
    Self = self(),
    spawn(fun() -> Cast(Server, stop) end),
    spawn(fun() -> Self ! {a, Call(Server, ask)} end),
    spawn(fun() -> Self ! {b, Call(s, ask)} end),
    A = receive {a, X} -> X end,
    B = receive {b, Y} -> Y end,
    exit({result, A, B}).

init(N) -> {ok, N}.
handle_call(ask, _, N) -> {reply, answer, N}.
handle_cast(stop, N) -> {stop, stopped, N}.

loop() ->
    receive
        {call, {From, Ref}, ask} -> From ! {Ref, answer}, loop();
        {cast, stop} -> exit(stopped)
    end.

call(Name, Request) when is_atom(Name) ->
    case whereis(Name) of
        undefined -> noproc;
        Pid -> call(Pid, Request)
    end;
call(Server, Request) ->
    Ref = monitor(process, Server),
    Server ! {call, {self(), Ref}, Request},
    receive
        {Ref, Reply} -> demonitor(Ref, [flush]), Reply;
        {'DOWN', Ref, _, _, Reason} -> Reason
    end.
