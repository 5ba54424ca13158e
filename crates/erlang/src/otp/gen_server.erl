%% Generic servers. The loop takes the oldest message, whatever it is, calls back, and answers; when the callback
%% does nothing others can see, all of that is one scheduling point.
-module(gen_server).
-export([start/3, start/4, start_link/3, start_link/4, start_monitor/3, start_monitor/4,
         stop/1, stop/3, call/2, call/3, cast/2, reply/2, abcast/2, abcast/3,
         multi_call/2, multi_call/3, multi_call/4, send_request/2, wait_response/1, wait_response/2,
         receive_response/1, receive_response/2, check_response/2, check_response/3, send_request/4,
         wait_response/3, receive_response/3, reqids_new/0, reqids_size/1, reqids_add/3,
         reqids_to_list/1,
         enter_loop/3, enter_loop/4, enter_loop/5, init_it/6]).

%% REPORTS stands where the program has log handlers.
-ifdef(REPORTS).
-export([format_log/1, format_log/2]).
-define(NAMED(Name), put('$foresee_name', Name)).
-define(TOLD(Return, Message), foresee_reports:keep_last(Return, Message)).
-define(REPORT(Class, Reason, Stack, Mod, State), foresee_reports:server(Class, Reason, Stack, Mod, State)).
format_log(Report) -> foresee_reports:format_server(Report).
format_log(Report, _) ->
    {Format, Args} = foresee_reports:format_server(Report),
    io_lib:format(Format, Args).
-else.
-define(NAMED(Name), ok).
-define(TOLD(Return, Message), Return).
-define(REPORT(Class, Reason, Stack, Mod, State), ok).
-endif.

start(Mod, Args, Options) -> gen:start(gen_server, nolink, Mod, Args, Options).
start(Name, Mod, Args, Options) -> gen:start(gen_server, nolink, Name, Mod, Args, Options).
start_link(Mod, Args, Options) -> gen:start(gen_server, link, Mod, Args, Options).
start_link(Name, Mod, Args, Options) -> gen:start(gen_server, link, Name, Mod, Args, Options).
start_monitor(Mod, Args, Options) -> gen:start(gen_server, monitor, Mod, Args, Options).
start_monitor(Name, Mod, Args, Options) -> gen:start(gen_server, monitor, Name, Mod, Args, Options).

stop(Server) -> gen:stop(Server).
stop(Server, Reason, Timeout) -> gen:stop(Server, Reason, Timeout).

call(Server, Request) ->
    try gen:call(Server, '$gen_call', Request) of
        {ok, Reply} -> Reply
    catch
        exit:Reason -> exit({Reason, {gen_server, call, [Server, Request]}});
        error:Reason:Stack -> exit({{Reason, Stack}, {gen_server, call, [Server, Request]}})
    end.

call(Server, Request, Timeout) ->
    try gen:call(Server, '$gen_call', Request, Timeout) of
        {ok, Reply} -> Reply
    catch
        exit:Reason -> exit({Reason, {gen_server, call, [Server, Request, Timeout]}});
        error:Reason:Stack -> exit({{Reason, Stack}, {gen_server, call, [Server, Request, Timeout]}})
    end.

cast(Server, Request) ->
    try gen:destination(Server) of
        To -> gen:foresee_cast(To, {'$gen_cast', Request})
    catch
        exit:_ -> ok
    end.

reply(From, Reply) -> gen:reply(From, Reply).

abcast(Name, Request) -> abcast([node()], Name, Request).
abcast([Node | Nodes], Name, Request) when is_atom(Name) ->
    case Node =:= node() of
        true -> gen:foresee_cast(Name, {'$gen_cast', Request});
        false -> ok
    end,
    abcast(Nodes, Name, Request);
abcast([], _, _) -> abcast.

multi_call(Name, Request) -> multi_call([node()], Name, Request).
multi_call(Nodes, Name, Request) -> multi_call(Nodes, Name, Request, infinity).
multi_call(Nodes, Name, Request, Timeout) ->
    collect(Nodes, Name, Request, Timeout, [], []).

collect([Node | Nodes], Name, Request, Timeout, Replies, Bad) ->
    try gen:call({Name, Node}, '$gen_call', Request, Timeout) of
        {ok, Reply} -> collect(Nodes, Name, Request, Timeout, [{Node, Reply} | Replies], Bad)
    catch
        exit:_ -> collect(Nodes, Name, Request, Timeout, Replies, [Node | Bad])
    end;
collect([], _, _, _, Replies, Bad) -> {Replies, Bad}.

send_request(Server, Request) -> gen:send_request(Server, '$gen_call', Request).
wait_response(Id) -> wait_response(Id, infinity).
wait_response(Id, Timeout) -> gen:wait_response(Id, Timeout).
receive_response(Id) -> receive_response(Id, infinity).
receive_response(Id, Timeout) -> gen:receive_response(Id, Timeout).
check_response(Message, Id) -> gen:check_response(Message, Id).

send_request(Server, Request, Label, Ids) ->
    gen:send_request(Server, '$gen_call', Request, Label, Ids).
wait_response(Ids, Timeout, Delete) -> gen:collect(Ids, {false, Timeout}, Delete).
receive_response(Ids, Timeout, Delete) -> gen:collect(Ids, {true, Timeout}, Delete).
check_response(Message, Ids, Delete) -> gen:check_response(Message, Ids, Delete).
reqids_new() -> gen:reqids_new().
reqids_size(Ids) -> gen:reqids_size(Ids).
reqids_add(Id, Label, Ids) -> gen:reqids_add(Id, Label, Ids).
reqids_to_list(Ids) -> gen:reqids_to_list(Ids).

enter_loop(Mod, Options, State) -> enter_loop(Mod, Options, State, self(), infinity).
enter_loop(Mod, Options, State, Name) when is_tuple(Name); is_pid(Name) ->
    enter_loop(Mod, Options, State, Name, infinity);
enter_loop(Mod, Options, State, Timeout) -> enter_loop(Mod, Options, State, self(), Timeout).
enter_loop(Mod, _Options, State, _Name, Timeout) -> loop(parent(), Mod, State, Timeout).

parent() ->
    case get('$ancestors') of
        [Parent | _] when is_pid(Parent) -> Parent;
        [Parent | _] when is_atom(Parent) -> whereis(Parent)
    end.

init_it(Starter, Parent, Name, Mod, Args, _Options) ->
    Registered = gen:registered_name(Name),
    ?NAMED(Name),
    Return = try Mod:init(Args)
             catch throw:Thrown -> Thrown;
                   Class:Reason:Stack -> {'$crash', Class, Reason, Stack}
             end,
    initialised(Return, Starter, Parent, Registered, Mod).

initialised({ok, State}, Starter, Parent, _, Mod) ->
    gen:foresee_acknowledge(Starter, undefined, {ok, self()}),
    loop(Parent, Mod, State, infinity);
initialised({ok, State, Timeout}, Starter, Parent, _, Mod) ->
    gen:foresee_acknowledge(Starter, undefined, {ok, self()}),
    loop(Parent, Mod, State, Timeout);
initialised({'$crash', Class, Reason, Stack}, Starter, _, Name, _) ->
    gen:foresee_acknowledge(Starter, Name, {error, reason(Class, Reason, Stack)}),
    erlang:raise(Class, Reason, Stack);
initialised({stop, Reason}, Starter, _, Name, _) ->
    gen:foresee_acknowledge(Starter, Name, {error, Reason}),
    exit(Reason);
initialised({error, Reason}, Starter, _, Name, _) ->
    gen:foresee_acknowledge(Starter, Name, {error, Reason}),
    exit(normal);
initialised(ignore, Starter, _, Name, _) ->
    gen:foresee_acknowledge(Starter, Name, ignore),
    exit(normal);
initialised(Else, Starter, _, Name, _) ->
    Error = {bad_return_value, Else},
    gen:foresee_acknowledge(Starter, Name, {error, Error}),
    exit(Error).

reason(error, Reason, Stack) -> {Reason, Stack};
reason(exit, Reason, _) -> Reason;
reason(throw, Reason, Stack) -> {{nocatch, Reason}, Stack}.

loop(Parent, Mod, State, {continue, What}) ->
    Return = try Mod:handle_continue(What, State)
             catch throw:Thrown -> Thrown;
                   Class:Reason:Stack -> {'$crash', Class, Reason, Stack}
             end,
    noreply(Return, Parent, Mod, State);
loop(Parent, Mod, State, hibernate) -> loop(Parent, Mod, State, infinity);
loop(Parent, Mod, State, Timeout) ->
    receive
        {system, _, _} = Message -> system(Message, Parent, Mod, State, Timeout);
        Message -> handle(Message, Parent, Mod, State)
    after Timeout -> handle(timeout, Parent, Mod, State)
    end.

%% What is asked about the server itself does not end its timeout, which starts anew.
system(Message, Parent, Mod, State, Timeout) ->
    case sys:handle(Message, State, {gen_server, fun(S) -> S end, fun(S, _) -> S end, Parent}) of
        {go, Next} -> loop(Parent, Mod, Next, Timeout);
        {terminate, Reason, Last} -> terminate(exit, Reason, [], Mod, Last)
    end.

handle({'$gen_call', From, Request}, Parent, Mod, State) ->
    Return = try Mod:handle_call(Request, From, State)
             catch throw:Thrown -> Thrown;
                   Class:Reason:Stack -> {'$crash', Class, Reason, Stack}
             end,
    called(?TOLD(Return, {'$gen_call', From, Request}), From, Parent, Mod, State);
handle({'$gen_cast', Request}, Parent, Mod, State) ->
    Return = try Mod:handle_cast(Request, State)
             catch throw:Thrown -> Thrown;
                   Class:Reason:Stack -> {'$crash', Class, Reason, Stack}
             end,
    noreply(?TOLD(Return, {'$gen_cast', Request}), Parent, Mod, State);
handle({'EXIT', Parent, Reason}, Parent, Mod, State) -> terminate(exit, Reason, [], Mod, State);
handle(Message, Parent, Mod, State) ->
    case erlang:function_exported(Mod, handle_info, 2) of
        true ->
            Return = try Mod:handle_info(Message, State)
                     catch throw:Thrown -> Thrown;
                           Class:Reason:Stack -> {'$crash', Class, Reason, Stack}
                     end,
            noreply(?TOLD(Return, Message), Parent, Mod, State);
        false -> loop(Parent, Mod, State, infinity)
    end.

called({reply, Reply, State}, From, Parent, Mod, _) ->
    gen:reply(From, Reply),
    loop(Parent, Mod, State, infinity);
called({reply, Reply, State, Timeout}, From, Parent, Mod, _) ->
    gen:reply(From, Reply),
    loop(Parent, Mod, State, Timeout);
called({stop, Reason, Reply, State}, From, _, Mod, _) ->
    try terminate(exit, Reason, [], Mod, State)
    after gen:reply(From, Reply)
    end;
called(Other, _, Parent, Mod, State) -> noreply(Other, Parent, Mod, State).

noreply({noreply, State}, Parent, Mod, _) -> loop(Parent, Mod, State, infinity);
noreply({noreply, State, Timeout}, Parent, Mod, _) -> loop(Parent, Mod, State, Timeout);
noreply({stop, Reason, State}, _, Mod, _) -> terminate(exit, Reason, [], Mod, State);
noreply({'$crash', Class, Reason, Stack}, _, Mod, State) ->
    terminate(Class, Reason, Stack, Mod, State);
noreply(Bad, _, Mod, State) -> terminate(exit, {bad_return_value, Bad}, [], Mod, State).

terminate(Class, Reason, Stack, Mod, State) ->
    case erlang:function_exported(Mod, terminate, 2) of
        true ->
            try Mod:terminate(reason(Class, Reason, Stack), State)
            catch throw:_ -> ok
            end;
        false -> ok
    end,
    ?REPORT(Class, Reason, Stack, Mod, State),
    case Class of
        exit -> exit(Reason);
        _ -> erlang:raise(Class, Reason, Stack)
    end.
