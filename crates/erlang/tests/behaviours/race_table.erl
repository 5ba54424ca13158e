%% The server writes to a table before it answers: another process may see the entry and speak to the client first.
-module(race_table).
-export([behaviour/0, loops/0, init/1, handle_call/3, handle_cast/2]).

behaviour() ->
    run(fun() -> {ok, Server} = gen_server:start(?MODULE, 0, []), Server end, fun gen_server:send_request/2,
        fun(M, Ref) -> gen_server:check_response(M, Ref) =/= no_reply end).

loops() ->
    run(fun() -> spawn(fun loop/0) end,
        fun(Server, put) -> Ref = make_ref(), Server ! {call, {self(), Ref}, put}, Ref end,
        fun({R, _}, Ref) -> R =:= Ref; (_, _) -> false end).

run(Start, Ask, Is) ->
    ets:new(table, [named_table, public]),
    Server = Start(),
    Self = self(),
    spawn(fun() -> Self ! {seen, ets:lookup(table, key)} end),
    Ref = Ask(Server, put),
    First = receive M -> kind(M, Is(M, Ref)) end,
    Second = receive N -> kind(N, Is(N, Ref)) end,
    exit({result, First, Second}).

kind(_, true) -> answer;
kind(M, false) -> M.

init(N) -> {ok, N}.
handle_call(put, _, N) -> ets:insert(table, {key, 1}), {reply, ok, N}.
handle_cast(_, N) -> {noreply, N}.

loop() ->
    receive
        {call, {From, Ref}, put} -> ets:insert(table, {key, 1}), From ! {Ref, ok}, loop()
    end.
