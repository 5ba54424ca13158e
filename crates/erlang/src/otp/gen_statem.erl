%% Generic state machines, both callback modes. Timers of all kinds are set and taken back by one built-in, so that the
%% handling of an event is one scheduling point when its callback does nothing others can see.
-module(gen_statem).
-export([start/3, start/4, start_link/3, start_link/4, start_monitor/3, start_monitor/4,
         stop/1, stop/3, call/2, call/3, cast/2, reply/1, reply/2, send_request/2,
         wait_response/1, wait_response/2, receive_response/1, receive_response/2, check_response/2,
         enter_loop/4, enter_loop/5, enter_loop/6, init_it/6]).

%% mode: state_functions or handle_event_function; enter: whether state_enter is on.
%% postponed: newest first. timers: [{Name, Reference, Content}], Name being state_timeout, timeout or {timeout, N}.
-record(m, {parent, module, mode, enter, state, data, postponed = [], timers = []}).

start(Mod, Args, Options) -> gen:start(gen_statem, nolink, Mod, Args, Options).
start(Name, Mod, Args, Options) -> gen:start(gen_statem, nolink, Name, Mod, Args, Options).
start_link(Mod, Args, Options) -> gen:start(gen_statem, link, Mod, Args, Options).
start_link(Name, Mod, Args, Options) -> gen:start(gen_statem, link, Name, Mod, Args, Options).
start_monitor(Mod, Args, Options) -> gen:start(gen_statem, monitor, Mod, Args, Options).
start_monitor(Name, Mod, Args, Options) -> gen:start(gen_statem, monitor, Name, Mod, Args, Options).

stop(Server) -> gen:stop(Server).
stop(Server, Reason, Timeout) -> gen:stop(Server, Reason, Timeout).

call(Server, Request) -> ask(Server, Request, infinity, [Server, Request, infinity]).
call(Server, Request, {_, Timeout} = T) -> ask(Server, Request, Timeout, [Server, Request, T]);
call(Server, Request, Timeout) -> ask(Server, Request, Timeout, [Server, Request, Timeout]).

ask(Server, Request, Timeout, Arguments) ->
    try gen:call(Server, '$gen_call', Request, Timeout) of
        {ok, Reply} -> Reply
    catch
        exit:Reason -> exit({Reason, {gen_statem, call, Arguments}})
    end.

cast(Server, Event) -> gen_server:cast(Server, Event).

reply({reply, From, Reply}) -> reply(From, Reply);
reply(Replies) when is_list(Replies) -> lists:foreach(fun reply/1, Replies).
reply(From, Reply) -> gen:reply(From, Reply).

send_request(Server, Request) -> gen:send_request(Server, '$gen_call', Request).
wait_response(Id) -> wait_response(Id, infinity).
wait_response(Id, Timeout) -> gen:wait_response(Id, Timeout).
receive_response(Id) -> receive_response(Id, infinity).
receive_response(Id, Timeout) -> gen:receive_response(Id, Timeout).
check_response(Message, Id) -> gen:check_response(Message, Id).

enter_loop(Mod, Options, State, Data) -> enter_loop(Mod, Options, State, Data, self(), []).
enter_loop(Mod, Options, State, Data, Actions) when is_list(Actions) ->
    enter_loop(Mod, Options, State, Data, self(), Actions);
enter_loop(Mod, Options, State, Data, Server) -> enter_loop(Mod, Options, State, Data, Server, []).
enter_loop(Mod, _Options, State, Data, _Server, Actions) ->
    [Parent | _] = get('$ancestors'),
    {Mode, Enter} = mode(Mod:callback_mode()),
    begin_in(State, Data, Actions, #m{parent = Parent, module = Mod, mode = Mode, enter = Enter}).

init_it(Starter, Parent, Name, Mod, Args, _Options) ->
    Registered = gen:registered_name(Name),
    Return = try Mod:init(Args)
             catch throw:Thrown -> Thrown;
                   Class:Reason:Stack -> {'$crash', Class, Reason, Stack}
             end,
    initialised(Return, Starter, Parent, Registered, Mod).

failed(Class, Reason, Stack, Starter, Registered) ->
    gen:foresee_acknowledge(Starter, Registered, {error, Reason}),
    erlang:raise(Class, Reason, Stack).

initialised({ok, State, Data}, Starter, Parent, Name, Mod) ->
    initialised({ok, State, Data, []}, Starter, Parent, Name, Mod);
initialised({ok, State, Data, Actions}, Starter, Parent, Name, Mod) ->
    Modes = try mode(Mod:callback_mode())
            catch Class:Reason:Stack -> failed(Class, Reason, Stack, Starter, Name)
            end,
    {Mode, Enter} = Modes,
    gen:foresee_acknowledge(Starter, undefined, {ok, self()}),
    begin_in(State, Data, Actions, #m{parent = Parent, module = Mod, mode = Mode, enter = Enter});
initialised({'$crash', Class, Reason, Stack}, Starter, _, Name, _) ->
    failed(Class, Reason, Stack, Starter, Name);
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
    Error = {bad_return_from_init, Else},
    gen:foresee_acknowledge(Starter, Name, {error, Error}),
    exit(Error).

mode(Mode) when is_atom(Mode) -> mode([Mode]);
mode(Modes) when is_list(Modes) ->
    [Mode] = [M || M <- Modes, M =/= state_enter],
    {Mode, lists:member(state_enter, Modes)}.

%% The actions of init, as if a state had just been changed to.
begin_in(State, Data, Actions, M) ->
    finish(State, Data, Actions, true, none, [], State, M).

%% Queued events go first, then messages.
loop([{Type, Content} | Queue], M) -> event(Type, Content, Queue, M);
loop([], M) ->
    receive
        Message -> message(Message, M)
    end.

message({'$gen_call', From, Request}, M) -> event({call, From}, Request, [], M);
message({'$gen_cast', Event}, M) -> event(cast, Event, [], M);
message({timeout, Ref, Message}, #m{timers = Timers} = M) ->
    case lists:keyfind(Ref, 2, Timers) of
        {Name, Ref, Content} -> event(Name, Content, [], M#m{timers = lists:keydelete(Ref, 2, Timers)});
        false -> event(info, {timeout, Ref, Message}, [], M)
    end;
message({'EXIT', Parent, Reason}, #m{parent = Parent} = M) -> terminate(exit, Reason, [], M, []);
message({system, _, _} = Message, M) ->
    Access = {gen_statem, fun(#m{state = S, data = D}) -> {S, D} end,
              fun({S, D}, Old) -> Old#m{state = S, data = D} end},
    case sys:handle(Message, M, Access) of
        {go, Next} -> loop([], Next);
        {terminate, Reason, Last} -> terminate(exit, Reason, [], Last, [])
    end;
message(Message, M) -> event(info, Message, [], M).

%% Any event ends the event timeout.
event(Type, Content, Queue, M) ->
    case lists:keyfind(timeout, 1, M#m.timers) of
        false -> handle(Type, Content, Queue, M, []);
        {_, zero, _} -> handle(Type, Content, Queue, forget(timeout, M), []);
        {_, Ref, _} -> handle(Type, Content, Queue, forget(timeout, M), [Ref])
    end.

forget(Name, #m{timers = Timers} = M) -> M#m{timers = lists:keydelete(Name, 1, Timers)}.

handle(Type, Content, Queue, M, Cancel) ->
    result(call_state(Type, Content, M), {Type, Content}, Queue, M, Cancel).

call_state(Type, Content, #m{module = Mod, mode = Mode, state = State, data = Data}) ->
    try
        case Mode of
            state_functions -> Mod:State(Type, Content, Data);
            handle_event_function -> Mod:handle_event(Type, Content, State, Data)
        end
    catch
        throw:Thrown -> Thrown;
        Class:Reason:Stack -> {'$crash', Class, Reason, Stack}
    end.

result(Return, Event, Queue, #m{state = Old, data = Data} = M, Cancel) ->
    case Return of
        {next_state, State, New} -> step(State, New, [], State =/= Old, Event, Queue, M, Cancel);
        {next_state, State, New, Actions} -> step(State, New, Actions, State =/= Old, Event, Queue, M, Cancel);
        {keep_state, New} -> step(Old, New, [], false, Event, Queue, M, Cancel);
        {keep_state, New, Actions} -> step(Old, New, Actions, false, Event, Queue, M, Cancel);
        keep_state_and_data -> step(Old, Data, [], false, Event, Queue, M, Cancel);
        {keep_state_and_data, Actions} -> step(Old, Data, Actions, false, Event, Queue, M, Cancel);
        {repeat_state, New} -> step(Old, New, [], repeat, Event, Queue, M, Cancel);
        {repeat_state, New, Actions} -> step(Old, New, Actions, repeat, Event, Queue, M, Cancel);
        repeat_state_and_data -> step(Old, Data, [], repeat, Event, Queue, M, Cancel);
        {repeat_state_and_data, Actions} -> step(Old, Data, Actions, repeat, Event, Queue, M, Cancel);
        stop -> terminate(exit, normal, [], M, []);
        {stop, Reason} -> terminate(exit, Reason, [], M, []);
        {stop, Reason, New} -> terminate(exit, Reason, [], M#m{data = New}, []);
        {stop_and_reply, Reason, Replies} -> terminate(exit, Reason, [], M, Replies);
        {stop_and_reply, Reason, Replies, New} -> terminate(exit, Reason, [], M#m{data = New}, Replies);
        {'$crash', Class, Reason, Stack} -> terminate(Class, Reason, Stack, M, []);
        Bad -> terminate(error, {bad_return_from_state_function, Bad}, [], M, [])
    end.

step(State, Data, Actions, Change, Event, Queue, #m{state = Old} = M, Cancel) ->
    finish(State, Data, Actions, Change, Event, Queue, Old, M, Cancel).

finish(State, Data, Actions, Change, Event, Queue, Old, M) ->
    finish(State, Data, Actions, Change, Event, Queue, Old, M, []).

%% The actions of a transition, then the state_enter call, then what is queued and postponed.
finish(State, Data, Actions, Change, Event, Queue, Old, M, Cancel) ->
    {Replies, Inserted, Postpone, Timeouts} = actions(list(Actions)),
    reply_all(Replies),
    Next = M#m{state = State, data = Data},
    case (Change =/= false) andalso M#m.enter of
        true -> enter(Old, Inserted, Postpone, Timeouts, Change, Event, Queue, Next, Cancel);
        false -> settle(Inserted, Postpone, Timeouts, Change, Event, Queue, Next, Cancel)
    end.

enter(Old, Inserted, Postpone, Timeouts, Change, Event, Queue, M, Cancel) ->
    #m{state = State, data = Data} = M,
    case call_state(enter, Old, M) of
        {next_state, State, New} -> entered(New, [], false, Old, Inserted, Postpone, Timeouts, Change, Event, Queue, M, Cancel);
        {next_state, State, New, Actions} -> entered(New, Actions, false, Old, Inserted, Postpone, Timeouts, Change, Event, Queue, M, Cancel);
        {keep_state, New} -> entered(New, [], false, Old, Inserted, Postpone, Timeouts, Change, Event, Queue, M, Cancel);
        {keep_state, New, Actions} -> entered(New, Actions, false, Old, Inserted, Postpone, Timeouts, Change, Event, Queue, M, Cancel);
        keep_state_and_data -> entered(Data, [], false, Old, Inserted, Postpone, Timeouts, Change, Event, Queue, M, Cancel);
        {keep_state_and_data, Actions} -> entered(Data, Actions, false, Old, Inserted, Postpone, Timeouts, Change, Event, Queue, M, Cancel);
        {repeat_state, New} -> entered(New, [], true, Old, Inserted, Postpone, Timeouts, Change, Event, Queue, M, Cancel);
        {repeat_state, New, Actions} -> entered(New, Actions, true, Old, Inserted, Postpone, Timeouts, Change, Event, Queue, M, Cancel);
        repeat_state_and_data -> entered(Data, [], true, Old, Inserted, Postpone, Timeouts, Change, Event, Queue, M, Cancel);
        stop -> terminate(exit, normal, [], M, []);
        {stop, Reason} -> terminate(exit, Reason, [], M, []);
        {stop, Reason, New} -> terminate(exit, Reason, [], M#m{data = New}, []);
        {stop_and_reply, Reason, Replies} -> terminate(exit, Reason, [], M, Replies);
        {stop_and_reply, Reason, Replies, New} -> terminate(exit, Reason, [], M#m{data = New}, Replies);
        {'$crash', Class, Reason, Stack} -> terminate(Class, Reason, Stack, M, []);
        Bad -> terminate(error, {bad_state_enter_return_from_state_function, Bad}, [], M, [])
    end.

entered(Data, Actions, Repeat, _Old, Inserted, Postpone, Timeouts, Change, Event, Queue, M, Cancel) ->
    {Replies, _, _, More} = actions(list(Actions)),
    reply_all(Replies),
    Next = M#m{data = Data},
    All = Timeouts ++ More,
    case Repeat of
        true -> enter(Next#m.state, Inserted, Postpone, All, Change, Event, Queue, Next, Cancel);
        false -> settle(Inserted, Postpone, All, Change, Event, Queue, Next, Cancel)
    end.

list(Actions) when is_list(Actions) -> Actions;
list(Action) -> [Action].

%% Sorts actions out: replies, inserted events, whether to postpone, timeouts; each in the order given.
actions(Actions) -> actions(Actions, [], [], false, []).

actions([Action | Rest], Replies, Inserted, Postpone, Timeouts) ->
    case Action of
        {reply, From, Reply} -> actions(Rest, [{From, Reply} | Replies], Inserted, Postpone, Timeouts);
        {next_event, Type, Content} -> actions(Rest, Replies, [{Type, Content} | Inserted], Postpone, Timeouts);
        postpone -> actions(Rest, Replies, Inserted, true, Timeouts);
        {postpone, Value} -> actions(Rest, Replies, Inserted, Value, Timeouts);
        hibernate -> actions(Rest, Replies, Inserted, Postpone, Timeouts);
        {hibernate, _} -> actions(Rest, Replies, Inserted, Postpone, Timeouts);
        {state_timeout, cancel} -> actions(Rest, Replies, Inserted, Postpone, [{state_timeout, infinity, none} | Timeouts]);
        {{timeout, _} = Name, cancel} -> actions(Rest, Replies, Inserted, Postpone, [{Name, infinity, none} | Timeouts]);
        {timeout, cancel} -> actions(Rest, Replies, Inserted, Postpone, [{timeout, infinity, none} | Timeouts]);
        {state_timeout, update, Content} -> actions(Rest, Replies, Inserted, Postpone, [{state_timeout, update, Content} | Timeouts]);
        {{timeout, _} = Name, update, Content} -> actions(Rest, Replies, Inserted, Postpone, [{Name, update, Content} | Timeouts]);
        {state_timeout, Time, Content} -> actions(Rest, Replies, Inserted, Postpone, [{state_timeout, Time, Content} | Timeouts]);
        {state_timeout, Time, Content, _} -> actions(Rest, Replies, Inserted, Postpone, [{state_timeout, Time, Content} | Timeouts]);
        {{timeout, _} = Name, Time, Content} -> actions(Rest, Replies, Inserted, Postpone, [{Name, Time, Content} | Timeouts]);
        {{timeout, _} = Name, Time, Content, _} -> actions(Rest, Replies, Inserted, Postpone, [{Name, Time, Content} | Timeouts]);
        {timeout, Time, Content} -> actions(Rest, Replies, Inserted, Postpone, [{timeout, Time, Content} | Timeouts]);
        {timeout, Time, Content, _} -> actions(Rest, Replies, Inserted, Postpone, [{timeout, Time, Content} | Timeouts]);
        Time when is_integer(Time); Time =:= infinity ->
            actions(Rest, Replies, Inserted, Postpone, [{timeout, Time, Time} | Timeouts]);
        Bad -> error({bad_action_from_state_function, Bad})
    end;
actions([], Replies, Inserted, Postpone, Timeouts) ->
    {lists:reverse(Replies), lists:reverse(Inserted), Postpone, lists:reverse(Timeouts)}.

reply_all([{From, Reply} | Rest]) ->
    gen:reply(From, Reply),
    reply_all(Rest);
reply_all([]) -> ok.

settle(Inserted, Postpone, Timeouts, Change, Event, Queue, M, Cancel) ->
    Held = case Postpone of
               true when Event =/= none -> [Event | M#m.postponed];
               _ -> M#m.postponed
           end,
    {Waiting, Again} = case Change of
                           false -> {Held, []};
                           _ -> {[], lists:reverse(Held)}
                       end,
    %% A change of state ends the state timeout; repeating a state does too.
    {Kept, Cancelled} = case Change of
                            false -> {M, Cancel};
                            _ -> take(state_timeout, M, Cancel)
                        end,
    {Next, Zeros} = set_timers(Timeouts, Kept#m{postponed = Waiting}, Cancelled),
    Events = Inserted ++ Again ++ Queue,
    with_zeros(Zeros, Events, Next).

%% Timeouts of zero are events after those that are queued; an event timeout of zero only if nothing is queued.
with_zeros(Zeros, Events, M) ->
    loop(Events ++ [{Name, Content} || {Name, Content} <- Zeros, Name =/= timeout orelse Events =:= []], M).

take(Name, #m{timers = Timers} = M, Cancel) ->
    case lists:keyfind(Name, 1, Timers) of
        {_, Ref, _} -> {forget(Name, M), [Ref | Cancel]};
        false -> {M, Cancel}
    end.

set_timers(Timeouts, M, Cancel) -> set_timers(Timeouts, M, Cancel, [], []).

set_timers([{Name, update, Content} | Rest], #m{timers = Timers} = M, Cancel, Start, Zeros) ->
    case lists:keyfind(Name, 1, Timers) of
        {_, Ref, _} ->
            set_timers(Rest, M#m{timers = lists:keyreplace(Name, 1, Timers, {Name, Ref, Content})}, Cancel, Start, Zeros);
        false ->
            set_timers(Rest, M, Cancel, lists:keydelete(Name, 1, Start), lists:keydelete(Name, 1, Zeros) ++ [{Name, Content}])
    end;
set_timers([{Name, Time, Content} | Rest], M, Cancel, Start, Zeros) ->
    {Without, Cancelled} = take(Name, M, Cancel),
    Others = lists:keydelete(Name, 1, Start),
    Rest0 = lists:keydelete(Name, 1, Zeros),
    case Time of
        infinity -> set_timers(Rest, Without, Cancelled, Others, Rest0);
        0 -> set_timers(Rest, Without, Cancelled, Others, Rest0 ++ [{Name, Content}]);
        _ -> set_timers(Rest, Without, Cancelled, Others ++ [{Name, Time, Content}], Rest0)
    end;
set_timers([], M, [], [], Zeros) -> {M, Zeros};
set_timers([], #m{timers = Timers} = M, Cancel, Start, Zeros) ->
    Refs = gen:foresee_timers(Cancel, [{Time, Name} || {Name, Time, _} <- Start]),
    New = lists:zipwith(fun({Name, _, Content}, Ref) -> {Name, Ref, Content} end, Start, Refs),
    {M#m{timers = lists:sort(New ++ Timers)}, Zeros}.

terminate(Class, Reason, Stack, #m{module = Mod, state = State, data = Data}, Replies) ->
    case erlang:function_exported(Mod, terminate, 3) of
        true ->
            try Mod:terminate(Reason, State, Data)
            catch throw:_ -> ok
            after reply(Replies)
            end;
        false -> reply(Replies)
    end,
    case Class of
        exit -> exit(Reason);
        _ -> erlang:raise(Class, Reason, Stack)
    end.
