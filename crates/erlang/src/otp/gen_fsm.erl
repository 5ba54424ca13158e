%% State machines of the older kind, with one function for each state.
-module(gen_fsm).
-export([start/3, start/4, start_link/3, start_link/4, stop/1, stop/3, send_event/2, sync_send_event/2,
         sync_send_event/3, send_all_state_event/2, sync_send_all_state_event/2,
         sync_send_all_state_event/3, reply/2, start_timer/2, send_event_after/2, cancel_timer/1,
         enter_loop/4, enter_loop/5, enter_loop/6, init_it/6]).

%% Where the program has log handlers, crashes are reported.
-ifdef(REPORTS).
-export([format_log/1, format_log/2]).
-define(NAMED(Name), put('$foresee_name', Name)).
-define(TOLD(Return, Message), foresee_reports:keep_event(Return, Message)).
-define(REPORT(Class, Reason, Stack, Mod, State, Data), foresee_reports:old_machine(Class, Reason, Stack, State, Data)).
format_log(Report) -> foresee_reports:format_old_machine(Report).
format_log(Report, _) ->
    {Format, Args} = foresee_reports:format_old_machine(Report),
    io_lib:format(Format, Args).
-else.
-define(NAMED(Name), ok).
-define(TOLD(Return, Message), Return).
-define(REPORT(Class, Reason, Stack, Mod, State, Data), ok).
-endif.


start(Mod, Args, Options) -> gen:start(gen_fsm, nolink, Mod, Args, Options).
start(Name, Mod, Args, Options) -> gen:start(gen_fsm, nolink, Name, Mod, Args, Options).
start_link(Mod, Args, Options) -> gen:start(gen_fsm, link, Mod, Args, Options).
start_link(Name, Mod, Args, Options) -> gen:start(gen_fsm, link, Name, Mod, Args, Options).

stop(Fsm) -> gen:stop(Fsm).
stop(Fsm, Reason, Timeout) -> gen:stop(Fsm, Reason, Timeout).

send_event(Fsm, Event) -> cast(Fsm, {'$gen_event', Event}).
send_all_state_event(Fsm, Event) -> cast(Fsm, {'$gen_all_state_event', Event}).

cast(Fsm, Message) ->
    try gen:destination(Fsm) of
        To -> gen:foresee_cast(To, Message)
    catch
        exit:_ -> ok
    end,
    ok.

sync_send_event(Fsm, Event) -> ask(Fsm, '$gen_sync_event', Event, 5000, sync_send_event, [Fsm, Event]).
sync_send_event(Fsm, Event, Timeout) ->
    ask(Fsm, '$gen_sync_event', Event, Timeout, sync_send_event, [Fsm, Event, Timeout]).
sync_send_all_state_event(Fsm, Event) ->
    ask(Fsm, '$gen_sync_all_state_event', Event, 5000, sync_send_all_state_event, [Fsm, Event]).
sync_send_all_state_event(Fsm, Event, Timeout) ->
    ask(Fsm, '$gen_sync_all_state_event', Event, Timeout, sync_send_all_state_event, [Fsm, Event, Timeout]).

ask(Fsm, Label, Event, Timeout, F, Args) ->
    try gen:call(Fsm, Label, Event, Timeout) of
        {ok, Reply} -> Reply
    catch
        exit:Reason -> exit({Reason, {gen_fsm, F, Args}})
    end.

reply(From, Reply) -> gen:reply(From, Reply).

start_timer(Time, Message) -> erlang:start_timer(Time, self(), {'$gen_timer', Message}).
send_event_after(Time, Event) -> erlang:start_timer(Time, self(), {'$gen_event', Event}).

cancel_timer(Reference) ->
    case erlang:cancel_timer(Reference) of
        false ->
            receive {timeout, Reference, _} -> 0
            after 0 -> false
            end;
        Left -> Left
    end.

enter_loop(Mod, Options, StateName, Data) -> enter_loop(Mod, Options, StateName, Data, self(), infinity).
enter_loop(Mod, Options, StateName, Data, {_, _} = Name) ->
    enter_loop(Mod, Options, StateName, Data, Name, infinity);
enter_loop(Mod, Options, StateName, Data, Timeout) ->
    enter_loop(Mod, Options, StateName, Data, self(), Timeout).
enter_loop(Mod, _, StateName, Data, _, Timeout) -> loop(gen:get_parent(), Mod, StateName, Data, Timeout).

init_it(Starter, Parent, Name, Mod, Args, _Options) ->
    Registered = gen:registered_name(Name),
    ?NAMED(Name),
    Return = try Mod:init(Args)
             catch throw:Thrown -> Thrown;
                   Class:Reason:Stack -> {'$crash', Class, Reason, Stack}
             end,
    initialised(Return, Starter, Parent, Registered, Mod).

initialised({ok, StateName, Data}, Starter, Parent, _, Mod) ->
    gen:foresee_acknowledge(Starter, undefined, {ok, self()}),
    loop(Parent, Mod, StateName, Data, infinity);
initialised({ok, StateName, Data, Timeout}, Starter, Parent, _, Mod) ->
    gen:foresee_acknowledge(Starter, undefined, {ok, self()}),
    loop(Parent, Mod, StateName, Data, Timeout);
initialised({'$crash', Class, Reason, Stack}, Starter, _, Name, _) ->
    gen:foresee_acknowledge(Starter, Name, {error, reason(Class, Reason, Stack)}),
    erlang:raise(Class, Reason, Stack);
initialised({stop, Reason}, Starter, _, Name, _) ->
    gen:foresee_acknowledge(Starter, Name, {error, Reason}),
    exit(Reason);
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

loop(Parent, Mod, StateName, Data, hibernate) -> loop(Parent, Mod, StateName, Data, infinity);
loop(Parent, Mod, StateName, Data, Timeout) ->
    receive
        {system, _, _} = Message -> system(Message, Parent, Mod, StateName, Data, Timeout);
        Message -> handle(Message, Parent, Mod, StateName, Data)
    after Timeout -> handle({'$gen_event', timeout}, Parent, Mod, StateName, Data)
    end.

%% What is asked about the machine itself does not end its timeout, which starts anew.
system(Message, Parent, Mod, StateName, Data, Timeout) ->
    case sys:handle(Message, {StateName, Data}, {gen_fsm, fun(S) -> S end, fun(S, _) -> S end, Parent}) of
        {go, {Next, NextData}} -> loop(Parent, Mod, Next, NextData, Timeout);
        {terminate, Reason, {Last, LastData}} -> terminate(exit, Reason, [], Mod, Last, LastData)
    end.

handle({'EXIT', Parent, Reason}, Parent, Mod, StateName, Data) ->
    terminate(exit, Reason, [], Mod, StateName, Data);
handle(Message, Parent, Mod, StateName, Data) ->
    Return = try dispatch(Message, Mod, StateName, Data)
             catch throw:Thrown -> Thrown;
                   Class:Reason:Stack -> {'$crash', Class, Reason, Stack}
             end,
    next(?TOLD(Return, Message), from(Message), Parent, Mod, StateName, Data).

dispatch({'$gen_event', Event}, Mod, StateName, Data) -> Mod:StateName(Event, Data);
dispatch({'$gen_all_state_event', Event}, Mod, StateName, Data) -> Mod:handle_event(Event, StateName, Data);
dispatch({'$gen_sync_event', From, Event}, Mod, StateName, Data) -> Mod:StateName(Event, From, Data);
dispatch({'$gen_sync_all_state_event', From, Event}, Mod, StateName, Data) ->
    Mod:handle_sync_event(Event, From, StateName, Data);
dispatch({timeout, Reference, {'$gen_timer', Message}}, Mod, StateName, Data) ->
    Mod:StateName({timeout, Reference, Message}, Data);
dispatch({timeout, _, {'$gen_event', Event}}, Mod, StateName, Data) -> Mod:StateName(Event, Data);
dispatch(Info, Mod, StateName, Data) -> Mod:handle_info(Info, StateName, Data).

from({'$gen_sync_event', From, _}) -> From;
from({'$gen_sync_all_state_event', From, _}) -> From;
from(_) -> none.

next({next_state, StateName, Data}, _, Parent, Mod, _, _) -> loop(Parent, Mod, StateName, Data, infinity);
next({next_state, StateName, Data, Timeout}, _, Parent, Mod, _, _) ->
    loop(Parent, Mod, StateName, Data, Timeout);
next({reply, Reply, StateName, Data}, From, Parent, Mod, _, _) when From =/= none ->
    gen:reply(From, Reply),
    loop(Parent, Mod, StateName, Data, infinity);
next({reply, Reply, StateName, Data, Timeout}, From, Parent, Mod, _, _) when From =/= none ->
    gen:reply(From, Reply),
    loop(Parent, Mod, StateName, Data, Timeout);
next({stop, Reason, Data}, _, _, Mod, StateName, _) -> terminate(exit, Reason, [], Mod, StateName, Data);
next({stop, Reason, Reply, Data}, From, _, Mod, StateName, _) when From =/= none ->
    try terminate(exit, Reason, [], Mod, StateName, Data)
    after gen:reply(From, Reply)
    end;
next({'$crash', Class, Reason, Stack}, _, _, Mod, StateName, Data) ->
    terminate(Class, Reason, Stack, Mod, StateName, Data);
next(Bad, _, _, Mod, StateName, Data) ->
    terminate(exit, {bad_return_value, Bad}, [], Mod, StateName, Data).

terminate(Class, Reason, Stack, Mod, StateName, Data) ->
    case erlang:function_exported(Mod, terminate, 3) of
        true ->
            try Mod:terminate(reason(Class, Reason, Stack), StateName, Data)
            catch throw:_ -> ok
            end;
        false -> ok
    end,
    ?REPORT(Class, Reason, Stack, Mod, StateName, Data),
    case Class of
        exit -> exit(Reason);
        _ -> erlang:raise(Class, Reason, Stack)
    end.
