%% Talking to a behaviour about its state. Tracing and logs of events are not modelled.
-module(sys).
-export([get_state/1, get_state/2, replace_state/2, replace_state/3, suspend/1, suspend/2,
         resume/1, resume/2, terminate/2, terminate/3, get_status/1, get_status/2, handle/3]).
-export([debug_options/1, handle_debug/4, get_debug/3, get_log/1, handle_system_msg/6, handle_system_msg/7]).

get_state(Name) -> state_of(ask(Name, get_state)).
get_state(Name, Timeout) -> state_of(ask(Name, get_state, Timeout)).

state_of({ok, State}) -> State;
state_of({error, Reason}) -> error(Reason).

replace_state(Name, F) -> state_of(ask(Name, {replace_state, F})).
replace_state(Name, F, Timeout) -> state_of(ask(Name, {replace_state, F}, Timeout)).

suspend(Name) -> ask(Name, suspend).
suspend(Name, Timeout) -> ask(Name, suspend, Timeout).
resume(Name) -> ask(Name, resume).
resume(Name, Timeout) -> ask(Name, resume, Timeout).

terminate(Name, Reason) -> ask(Name, {terminate, Reason}).
terminate(Name, Reason, Timeout) -> ask(Name, {terminate, Reason}, Timeout).

get_status(Name) -> ask(Name, get_status).
get_status(Name, Timeout) -> ask(Name, get_status, Timeout).

%% Who fails is told what was called, with the timeout if one was given. Without one it is the default timeout of gen, which is
%% told from those that the program has written.
ask(Name, Request) ->
    try gen:call(Name, system, Request) of
        {ok, Reply} -> Reply
    catch
        exit:Reason -> exit({Reason, called(Name, Request, [])});
        error:Reason:Stack -> exit({{Reason, Stack}, called(Name, Request, [])})
    end.

ask(Name, Request, Timeout) ->
    try call(Name, Request, Timeout) of
        {ok, Reply} -> Reply
    catch
        exit:Reason -> exit({Reason, called(Name, Request, [Timeout])});
        error:Reason:Stack -> exit({{Reason, Stack}, called(Name, Request, [Timeout])})
    end.

%% Who is asked to end tells this request by its tag from that of gen:stop, which has a plain reference (agree/1).
call(Name, {terminate, _} = Request, infinity) -> gen:aliased_call(Name, system, Request, infinity);
call(Name, Request, Timeout) -> gen:call(Name, system, Request, Timeout).

called(Name, {terminate, Reason}, Given) -> {sys, terminate, [Name, Reason | Given]};
called(Name, Request, Given) -> {sys, Request, [Name | Given]}.

%% The other side: what a behaviour in a state does about a request. Gives {go, State} or
%% {terminate, Reason, State}. A behaviour, named first, keeps its state wrapped: Get takes it out,
%% Put puts it back; its parent comes last.
handle({_, From, get_state}, State, {_, Get, _, _}) ->
    gen:reply(From, {ok, Get(State)}),
    {go, State};
handle({_, From, {replace_state, F}}, State, {Behaviour, Get, Put, _}) ->
    {Reply, Next} =
        try F(Get(State)) of
            New -> {{ok, New}, Put(New, State)}
        catch
            Class:Reason -> {{error, {callback_failed, {Behaviour, system_replace_state}, {Class, Reason}}}, State}
        end,
    gen:reply(From, Reply),
    {go, Next};
handle({_, From, get_status}, State, Access) ->
    gen:reply(From, status(running, State, Access)),
    {go, State};
handle({_, From, suspend}, State, Access) ->
    gen:reply(From, ok),
    suspended(State, Access);
handle({_, From, resume}, State, _) ->
    gen:reply(From, ok),
    {go, State};
handle({_, From, {terminate, Reason}}, State, _) ->
    agree(From),
    {terminate, Reason, State};
handle({_, From, Other}, State, _) ->
    gen:reply(From, {error, {unknown_system_msg, Other}}),
    {go, State}.

%% What a behaviour tells of itself. Its module may say how its state is shown.
status(How, Wrapped, {Behaviour, Get, _, Parent}) ->
    State = Get(Wrapped),
    {Kind, More} = case Behaviour of
                       gen_server -> {"generic server", []};
                       gen_statem -> {"state machine", [{"Time-outs", {0, []}}, {"Postponed", []}]};
                       gen_event -> {"event handler", []};
                       _ -> {"state machine", []}
                   end,
    Module = case get('$initial_call') of
                 {Callback, init, 1} -> Callback;
                 _ -> Behaviour
             end,
    %% Not by process_info: a program that asks for it can see how full mailboxes are.
    Name = case [Own || Own <- registered(), whereis(Own) =:= self()] of
               [Registered | _] -> atom_to_list(Registered);
               [] -> pid_to_list(self())
           end,
    Data = [{"Status", How}, {"Parent", Parent}, {"Logged events", []} | More],
    Misc = [{header, "Status for " ++ Kind ++ " " ++ Name}, {data, Data} | shown(Behaviour, Module, State)],
    {status, self(), {module, Behaviour}, [get(), How, Parent, [], Misc]}.

shown(Behaviour, Module, State) ->
    case {erlang:function_exported(Module, format_status, 1), erlang:function_exported(Module, format_status, 2)} of
        {true, _} ->
            Key = case Behaviour of gen_statem -> data; _ -> state end,
            Value = case State of {_, Data} when Behaviour =:= gen_statem -> Data; _ -> State end,
            Status = case Behaviour of
                         gen_statem -> #{data => Value, state => element(1, State), log => [], postponed => [], queue => []};
                         _ -> #{state => Value, log => []}
                     end,
            case catch Module:format_status(Status) of
                #{Key := New, state := Of} when Behaviour =:= gen_statem -> [{data, [{"State", {Of, New}}]}];
                #{Key := New} -> [{data, [{"State", New}]}];
                _ -> [{data, [{"State", State}]}]
            end;
        {_, true} ->
            Arguments = case {Behaviour, State} of
                            {gen_statem, {Of, Data}} -> [get(), Of, Data];
                            _ -> [get(), State]
                        end,
            case catch Module:format_status(normal, Arguments) of
                {'EXIT', _} -> [{data, [{"State", State}]}];
                Shown when is_list(Shown) -> Shown;
                Shown -> [Shown]
            end;
        _ -> [{data, [{"State", State}]}]
    end.

%% Who waits for the end of the process (gen:stop) hears of both at once.
agree({_, Ref}) when is_reference(Ref) -> gen:foresee_agree(Ref);
agree(From) -> gen:reply(From, ok).

suspended(State, Access) ->
    receive
        {system, From, suspend} ->
            gen:reply(From, ok),
            suspended(State, Access);
        {system, _, get_state} = Message ->
            {go, Same} = handle(Message, State, Access),
            suspended(Same, Access);
        {system, _, {replace_state, _}} = Message ->
            {go, Next} = handle(Message, State, Access),
            suspended(Next, Access);
        {system, From, get_status} ->
            gen:reply(From, status(suspended, State, Access)),
            suspended(State, Access);
        {system, _, _} = Message -> handle(Message, State, Access)
    end.

%%% For processes that speak these messages by hand: what gen_server and the like do for others.

debug_options(_) -> [].
handle_debug(Debug, _, _, _) -> Debug.
get_debug(_, _, Default) -> Default.

handle_system_msg(Request, From, Parent, Module, Debug, Misc) ->
    handle_system_msg(Request, From, Parent, Module, Debug, Misc, false).

%% Nothing is logged.
get_log(_) -> [].

handle_system_msg(Request, From, Parent, Module, Debug, Misc, _) ->
    by_hand(Request, From, running, {Parent, Module, Debug}, Misc).

by_hand(get_state, From, How, {_, Module, _} = Process, Misc) ->
    gen:reply(From, state(Module, Misc)),
    next(How, Process, Misc);
by_hand({replace_state, F}, From, How, {_, Module, _} = Process, Misc) ->
    {Reply, Next} =
        try replaced(Module, F, Misc) of
            {ok, State, New} -> {{ok, State}, New}
        catch
            Class:Reason ->
                {{error, {callback_failed, {Module, system_replace_state}, {Class, Reason}}}, Misc}
        end,
    gen:reply(From, Reply),
    next(How, Process, Next);
by_hand(get_status, From, How, {Parent, Module, Debug} = Process, Misc) ->
    Shown = case erlang:function_exported(Module, format_status, 2) of
                true -> Module:format_status(normal, [get(), How, Parent, Debug, Misc]);
                false -> Misc
            end,
    gen:reply(From, {status, self(), {module, Module}, [get(), How, Parent, Debug, Shown]}),
    next(How, Process, Misc);
by_hand(suspend, From, _, Process, Misc) ->
    gen:reply(From, ok),
    next(suspended, Process, Misc);
by_hand(resume, From, _, Process, Misc) ->
    gen:reply(From, ok),
    next(running, Process, Misc);
by_hand({terminate, Reason}, From, _, {Parent, Module, Debug}, Misc) ->
    agree(From),
    Module:system_terminate(Reason, Parent, Debug, Misc);
by_hand(Other, From, How, Process, Misc) ->
    gen:reply(From, {error, {unknown_system_msg, Other}}),
    next(How, Process, Misc).

next(running, {Parent, Module, Debug}, Misc) -> Module:system_continue(Parent, Debug, Misc);
next(suspended, {Parent, Module, Debug} = Process, Misc) ->
    receive
        {system, From, Request} -> by_hand(Request, From, suspended, Process, Misc);
        {'EXIT', Parent, Reason} -> Module:system_terminate(Reason, Parent, Debug, Misc)
    end.

state(Module, Misc) ->
    case erlang:function_exported(Module, system_get_state, 1) of
        true -> Module:system_get_state(Misc);
        false -> {ok, Misc}
    end.

replaced(Module, F, Misc) ->
    case erlang:function_exported(Module, system_replace_state, 2) of
        true -> Module:system_replace_state(F, Misc);
        false ->
            New = F(Misc),
            {ok, New, New}
    end.
