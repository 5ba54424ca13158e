%% Generic state machines, both callback modes. Timers of all kinds are set and taken back by one built-in, so that the
%% handling of an event is one scheduling point when its callback does nothing others can see.
-module(gen_statem).
-export([start/3, start/4, start_link/3, start_link/4, start_monitor/3, start_monitor/4,
         stop/1, stop/3, call/2, call/3, cast/2, reply/1, reply/2, send_request/2,
         wait_response/1, wait_response/2, receive_response/1, receive_response/2, check_response/2, check_response/3, send_request/4,
         wait_response/3, receive_response/3, reqids_new/0, reqids_size/1, reqids_add/3,
         reqids_to_list/1,
         enter_loop/4, enter_loop/5, enter_loop/6, init_it/6]).

%% mode: state_functions or handle_event_function; enter: whether state_enter is on.
%% postponed: newest first. timers: [{Name, Reference, Content}], Name being state_timeout, timeout or {timeout, N}.
-record(m, {parent, module, mode, enter, state, data, postponed = [], timers = []}).

%% Where the program has log handlers, crashes are reported.
-ifdef(REPORTS).
-export([format_log/1, format_log/2]).
-define(NAMED(Name), put('$foresee_name', Name)).
-define(TOLD(Return, Event), foresee_reports:keep_event(Return, Event)).
-define(REPORT(Class, Reason, Stack, Mod, State, Data), foresee_reports:machine(Class, Reason, Stack, Mod, State, Data)).
format_log(Report) -> foresee_reports:format_machine(Report).
format_log(Report, _) ->
    {Format, Args} = foresee_reports:format_machine(Report),
    io_lib:format(Format, Args).
-else.
-define(NAMED(Name), ok).
-define(TOLD(Return, Event), Return).
-define(REPORT(Class, Reason, Stack, Mod, State, Data), ok).
-endif.

start(Mod, Args, Options) -> gen:start(gen_statem, nolink, Mod, Args, Options).
start(Name, Mod, Args, Options) -> gen:start(gen_statem, nolink, Name, Mod, Args, Options).
start_link(Mod, Args, Options) -> gen:start(gen_statem, link, Mod, Args, Options).
start_link(Name, Mod, Args, Options) -> gen:start(gen_statem, link, Name, Mod, Args, Options).
start_monitor(Mod, Args, Options) -> gen:start(gen_statem, monitor, Mod, Args, Options).
start_monitor(Name, Mod, Args, Options) -> gen:start(gen_statem, monitor, Name, Mod, Args, Options).

stop(Server) -> gen:stop(Server).
stop(Server, Reason, Timeout) -> gen:stop(Server, Reason, Timeout).

call(Server, Request) -> ask(Server, Request, infinity, [Server, Request, infinity]).
call(Server, Request, {Kind, Timeout} = T) when Kind =:= clean_timeout; Kind =:= dirty_timeout ->
    ask(Server, Request, Timeout, [Server, Request, T]);
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

send_request(Server, Request, Label, Ids) ->
    gen:send_request(Server, '$gen_call', Request, Label, Ids).
wait_response(Ids, Timeout, Delete) -> gen:collect(Ids, {false, Timeout}, Delete).
receive_response(Ids, Timeout, Delete) -> gen:collect(Ids, {true, Timeout}, Delete).
check_response(Message, Ids, Delete) -> gen:check_response(Message, Ids, Delete).
reqids_new() -> gen:reqids_new().
reqids_size(Ids) -> gen:reqids_size(Ids).
reqids_add(Id, Label, Ids) -> gen:reqids_add(Id, Label, Ids).
reqids_to_list(Ids) -> gen:reqids_to_list(Ids).

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
    ?NAMED(Name),
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
    finish(Actions, true, State, {none, [], []}, M#m{state = State, data = Data}).

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
        {Name, Ref, Content} ->
            event(Name, Content, [], M#m{timers = lists:keydelete(Ref, 2, Timers)});
        false -> event(info, {timeout, Ref, Message}, [], M)
    end;
message({'EXIT', Parent, Reason}, #m{parent = Parent} = M) -> terminate(exit, Reason, [], M, []);
message({system, _, _} = Message, M) ->
    Access = {gen_statem, fun(#m{state = S, data = D}) -> {S, D} end,
              fun({S, D}, Old) -> Old#m{state = S, data = D} end, M#m.parent},
    case sys:handle(Message, M, Access) of
        {go, Next} -> loop([], Next);
        {terminate, Reason, Last} -> terminate(exit, Reason, [], Last, [])
    end;
message(Message, M) -> event(info, Message, [], M).

%% Any event ends the event timeout.
event(Type, Content, Queue, M) ->
    case lists:keyfind(timeout, 1, M#m.timers) of
        false -> handle(Type, Content, Queue, M, []);
        {_, Ref, _} -> handle(Type, Content, Queue, forget(timeout, M), [Ref])
    end.

forget(Name, #m{timers = Timers} = M) -> M#m{timers = lists:keydelete(Name, 1, Timers)}.

handle(Type, Content, Queue, M, Cancel) ->
    result(?TOLD(call_state(Type, Content, M), {Type, Content}), {Type, Content}, Queue, M, Cancel).

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
    Go = fun(State, New, Actions, Change) ->
             finish(Actions, Change, Old, {Event, Queue, Cancel}, M#m{state = State, data = New})
         end,
    case Return of
        {next_state, State, New} -> Go(State, New, [], State =/= Old);
        {next_state, State, New, Actions} -> Go(State, New, Actions, State =/= Old);
        {keep_state, New} -> Go(Old, New, [], false);
        {keep_state, New, Actions} -> Go(Old, New, Actions, false);
        keep_state_and_data -> Go(Old, Data, [], false);
        {keep_state_and_data, Actions} -> Go(Old, Data, Actions, false);
        {repeat_state, New} -> Go(Old, New, [], true);
        {repeat_state, New, Actions} -> Go(Old, New, Actions, true);
        repeat_state_and_data -> Go(Old, Data, [], true);
        {repeat_state_and_data, Actions} -> Go(Old, Data, Actions, true);
        Other -> stopped(Other, M, bad_return_from_state_function)
    end.

stopped(Return, M, Otherwise) ->
    case Return of
        stop -> terminate(exit, normal, [], M, []);
        {stop, Reason} -> terminate(exit, Reason, [], M, []);
        {stop, Reason, New} -> terminate(exit, Reason, [], M#m{data = New}, []);
        {stop_and_reply, Reason, Replies} -> terminate(exit, Reason, [], M, Replies);
        {stop_and_reply, Reason, Replies, New} ->
            terminate(exit, Reason, [], M#m{data = New}, Replies);
        {'$crash', Class, Reason, Stack} -> terminate(Class, Reason, Stack, M, []);
        Bad -> terminate(error, {Otherwise, Bad}, [], M, [])
    end.

%% The actions of a transition, then the state_enter call, then what is queued and postponed.
%% Change: whether the state is entered anew. Came: the event, what is queued, timers to cancel.
finish(Actions, Change, Old, Came, M) ->
    {Replies, Inserted, Postpone, Timeouts} = actions(list(Actions)),
    reply_all(Replies),
    Todo = {Inserted, Postpone, Change, Came},
    case Change andalso M#m.enter of
        true -> enter(Old, Timeouts, Todo, M);
        false -> settle(Timeouts, Todo, M)
    end.

enter(Old, Timeouts, Todo, #m{state = State, data = Data} = M) ->
    Go = fun(New, Actions, Repeat) ->
             {Replies, _, _, More} = actions(list(Actions)),
             reply_all(Replies),
             Next = M#m{data = New},
             case Repeat of
                 true -> enter(State, Timeouts ++ More, Todo, Next);
                 false -> settle(Timeouts ++ More, Todo, Next)
             end
         end,
    case call_state(enter, Old, M) of
        {next_state, State, New} -> Go(New, [], false);
        {next_state, State, New, Actions} -> Go(New, Actions, false);
        {keep_state, New} -> Go(New, [], false);
        {keep_state, New, Actions} -> Go(New, Actions, false);
        keep_state_and_data -> Go(Data, [], false);
        {keep_state_and_data, Actions} -> Go(Data, Actions, false);
        {repeat_state, New} -> Go(New, [], true);
        {repeat_state, New, Actions} -> Go(New, Actions, true);
        repeat_state_and_data -> Go(Data, [], true);
        {repeat_state_and_data, Actions} -> Go(Data, Actions, true);
        Other -> stopped(Other, M, bad_state_enter_return_from_state_function)
    end.

list(Actions) when is_list(Actions) -> Actions;
list(Action) -> [Action].

%% Sorts actions out: replies, inserted events, whether to postpone, timeouts; each in the order given.
actions(Actions) -> actions(Actions, [], [], false, []).

actions([Action | Rest], Replies, Inserted, Postpone, Timeouts) ->
    case Action of
        {reply, From, Reply} -> actions(Rest, [{From, Reply} | Replies], Inserted, Postpone, Timeouts);
        {next_event, Type, Content} ->
            actions(Rest, Replies, [{Type, Content} | Inserted], Postpone, Timeouts);
        postpone -> actions(Rest, Replies, Inserted, true, Timeouts);
        {postpone, Value} -> actions(Rest, Replies, Inserted, Value, Timeouts);
        hibernate -> actions(Rest, Replies, Inserted, Postpone, Timeouts);
        {hibernate, _} -> actions(Rest, Replies, Inserted, Postpone, Timeouts);
        _ -> actions(Rest, Replies, Inserted, Postpone, [timeout_action(Action) | Timeouts])
    end;
actions([], Replies, Inserted, Postpone, Timeouts) ->
    {lists:reverse(Replies), lists:reverse(Inserted), Postpone, lists:reverse(Timeouts)}.

%% {Name, Time, Content}; the time is infinity to cancel.
timeout_action(Time) when is_integer(Time); Time =:= infinity -> {timeout, Time, Time};
timeout_action({Name, cancel}) -> {timer_name(Name), infinity, none};
timeout_action({Name, Time}) -> {timer_name(Name), Time, Time};
timeout_action({Name, Time, Content}) -> {timer_name(Name), Time, Content};
timeout_action({Name, Time, Content, _}) -> {timer_name(Name), Time, Content};
timeout_action(Bad) -> error({bad_action_from_state_function, Bad}).

timer_name(state_timeout) -> state_timeout;
timer_name(timeout) -> timeout;
timer_name({timeout, _} = Name) -> Name;
timer_name(Bad) -> error({bad_action_from_state_function, Bad}).

reply_all([{From, Reply} | Rest]) ->
    gen:reply(From, Reply),
    reply_all(Rest);
reply_all([]) -> ok.

settle(Timeouts, {Inserted, Postpone, Change, {Event, Queue, Cancel}}, M) ->
    Held = case Postpone of
               true when Event =/= none -> [Event | M#m.postponed];
               _ -> M#m.postponed
           end,
    %% A state that is entered anew sees what was postponed again, and its timeout has ended.
    {Waiting, Again, {Kept, Cancelled}} =
        case Change of
            false -> {Held, [], {M, Cancel}};
            true -> {[], lists:reverse(Held), take(state_timeout, M, Cancel)}
        end,
    {Next, Zeros} = set_timers(Timeouts, Kept#m{postponed = Waiting}, Cancelled),
    Events = Inserted ++ Again ++ Queue,
    %% Timeouts of zero are events after those that are queued; an event timeout only if none is.
    Late = [{Name, Content} || {Name, Content} <- Zeros, Name =/= timeout orelse Events =:= []],
    loop(Events ++ Late, Next).

take(Name, #m{timers = Timers} = M, Cancel) ->
    case lists:keyfind(Name, 1, Timers) of
        {_, Ref, _} -> {forget(Name, M), [Ref | Cancel]};
        false -> {M, Cancel}
    end.

set_timers(Timeouts, M, Cancel) -> set_timers(Timeouts, M, Cancel, [], []).

set_timers([{Name, update, Content} | Rest], #m{timers = Timers} = M, Cancel, Start, Zeros) ->
    case lists:keyfind(Name, 1, Timers) of
        {_, Ref, _} ->
            New = lists:keyreplace(Name, 1, Timers, {Name, Ref, Content}),
            set_timers(Rest, M#m{timers = New}, Cancel, Start, Zeros);
        false ->
            Others = lists:keydelete(Name, 1, Start),
            set_timers(Rest, M, Cancel, Others, lists:keydelete(Name, 1, Zeros) ++ [{Name, Content}])
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
    ?REPORT(Class, Reason, Stack, Mod, State, Data),
    case Class of
        exit -> exit(Reason);
        _ -> erlang:raise(Class, Reason, Stack)
    end.
