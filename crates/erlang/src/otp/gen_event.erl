%% Event managers: a process with handlers, the newest first.
-module(gen_event).
-export([start/0, start/1, start/2, start_link/0, start_link/1, start_link/2,
         start_monitor/0, start_monitor/1, start_monitor/2, stop/1, stop/3,
         notify/2, sync_notify/2, add_handler/3, add_sup_handler/3, delete_handler/3,
         swap_handler/3, swap_sup_handler/3, which_handlers/1, call/3, call/4,
         send_request/3, wait_response/2, receive_response/2, check_response/2, init_it/6]).

%% Where the program has log handlers, crashes of event handlers are reported.
-ifdef(REPORTS).
-export([format_log/1, format_log/2]).
-define(NAMED(Name), put('$foresee_name', Name)).
-define(REPORT(H, Last, Reason),
        foresee_reports:handler(shown(H), Last, (H)#handler.state, Reason)).
format_log(Report) -> foresee_reports:format_handler(Report).
format_log(Report, _) ->
    {Format, Args} = foresee_reports:format_handler(Report),
    io_lib:format(Format, Args).
-else.
-define(NAMED(Name), ok).
-define(REPORT(H, Last, Reason), ok).
-endif.

%% id: false, or what {Module, Id} was given; supervised: false or the pid.
-record(handler, {module, id = false, state, supervised = false}).

start() -> gen:start(gen_event, nolink, gen_event, [], []).
start(Name) when is_tuple(Name) -> gen:start(gen_event, nolink, Name, gen_event, [], []);
start(Options) -> gen:start(gen_event, nolink, gen_event, [], Options).
start(Name, Options) -> gen:start(gen_event, nolink, Name, gen_event, [], Options).
start_link() -> gen:start(gen_event, link, gen_event, [], []).
start_link(Name) when is_tuple(Name) -> gen:start(gen_event, link, Name, gen_event, [], []);
start_link(Options) -> gen:start(gen_event, link, gen_event, [], Options).
start_link(Name, Options) -> gen:start(gen_event, link, Name, gen_event, [], Options).
start_monitor() -> gen:start(gen_event, monitor, gen_event, [], []).
start_monitor(Name) when is_tuple(Name) -> gen:start(gen_event, monitor, Name, gen_event, [], []);
start_monitor(Options) -> gen:start(gen_event, monitor, gen_event, [], Options).
start_monitor(Name, Options) -> gen:start(gen_event, monitor, Name, gen_event, [], Options).

stop(Manager) -> gen:stop(Manager).
stop(Manager, Reason, Timeout) -> gen:stop(Manager, Reason, Timeout).

notify(Manager, Event) when is_atom(Manager) ->
    Manager ! {notify, Event},
    ok;
notify(Manager, Event) -> gen:foresee_cast(gen:destination(Manager), {notify, Event}).
sync_notify(Manager, Event) -> ask(Manager, {sync_notify, Event}), ok.
add_handler(Manager, Handler, Args) -> ask(Manager, {add_handler, Handler, Args}).
add_sup_handler(Manager, Handler, Args) -> ask(Manager, {add_sup_handler, Handler, Args, self()}).
delete_handler(Manager, Handler, Args) -> ask(Manager, {delete_handler, Handler, Args}).
swap_handler(Manager, {Old, Args1}, {New, Args2}) -> ask(Manager, {swap_handler, Old, Args1, New, Args2}).
swap_sup_handler(Manager, {Old, Args1}, {New, Args2}) ->
    ask(Manager, {swap_sup_handler, Old, Args1, New, Args2, self()}).
which_handlers(Manager) -> ask(Manager, which_handlers).

ask(Manager, Request) ->
    {ok, Reply} = gen:call(Manager, self(), Request, infinity),
    Reply.

call(Manager, Handler, Request) ->
    try gen:call(Manager, self(), {call, Handler, Request}) of
        {ok, Reply} -> Reply
    catch
        exit:Reason -> exit({Reason, {gen_event, call, [Manager, Handler, Request]}})
    end.
call(Manager, Handler, Request, Timeout) ->
    call_it(Manager, Handler, Request, Timeout, [Manager, Handler, Request, Timeout]).

call_it(Manager, Handler, Request, Timeout, Arguments) ->
    try gen:call(Manager, self(), {call, Handler, Request}, Timeout) of
        {ok, Reply} -> Reply
    catch
        exit:Reason -> exit({Reason, {gen_event, call, Arguments}})
    end.

send_request(Manager, Handler, Request) -> gen:send_request(Manager, self(), {call, Handler, Request}).
wait_response(Id, Timeout) -> response(gen:wait_response(Id, Timeout)).
receive_response(Id, Timeout) -> response(gen:receive_response(Id, Timeout)).
check_response(Message, Id) -> response(gen:check_response(Message, Id)).
response({reply, {error, _} = Error}) -> Error;
response(Other) -> Other.

init_it(Starter, Parent, _Name, _, _, _) ->
    process_flag(trap_exit, true),
    ?NAMED(_Name),
    gen:foresee_acknowledge(Starter, undefined, {ok, self()}),
    loop(Parent, []).

loop(Parent, Handlers) ->
    receive
        Message -> handle(Message, Parent, Handlers)
    end.

handle({notify, Event}, Parent, Handlers) ->
    loop(Parent, notify_all(handle_event, Event, Handlers));
handle({system, _, _} = Message, Parent, Handlers) ->
    Access = {gen_event, fun(All) -> [{M, Id, S} || #handler{module = M, id = Id, state = S} <- All] end,
              fun(New, _) -> [#handler{module = M, id = Id, state = S} || {M, Id, S} <- New] end,
              Parent},
    case sys:handle(Message, Handlers, Access) of
        {go, Next} -> loop(Parent, Next);
        {terminate, Reason, Last} -> stopped(Reason, Last)
    end;
handle({'EXIT', Parent, Reason}, Parent, Handlers) -> stopped(Reason, Handlers);
handle({'EXIT', From, Reason} = Message, Parent, Handlers) ->
    case [H || #handler{supervised = Pid} = H <- Handlers, Pid =:= From] of
        [] -> loop(Parent, notify_all(handle_info, Message, Handlers));
        Gone ->
            [finish(H, {stop, Reason}) || H <- Gone],
            loop(Parent, Handlers -- Gone)
    end;
handle({_Label, From, Request} = Message, Parent, Handlers) ->
    case is_request(Request) of
        true -> request(Request, From, Parent, Handlers);
        false -> loop(Parent, notify_all(handle_info, Message, Handlers))
    end;
handle(Message, Parent, Handlers) -> loop(Parent, notify_all(handle_info, Message, Handlers)).

%% A request is known by its own form: the tag of who asks may be an alias or a plain reference.
is_request({sync_notify, _}) -> true;
is_request({add_handler, _, _}) -> true;
is_request({add_sup_handler, _, _, _}) -> true;
is_request({delete_handler, _, _}) -> true;
is_request({swap_handler, _, _, _, _}) -> true;
is_request({swap_sup_handler, _, _, _, _, _}) -> true;
is_request(which_handlers) -> true;
is_request({call, _, _}) -> true;
is_request(_) -> false.

request({sync_notify, Event}, From, Parent, Handlers) ->
    Next = notify_all(handle_event, Event, Handlers),
    answer(From, ok, Parent, Next);
request({add_handler, Handler, Args}, From, Parent, Handlers) ->
    {Reply, Next} = add(Handler, Args, false, Handlers),
    answer(From, Reply, Parent, Next);
request({add_sup_handler, Handler, Args, Pid}, From, Parent, Handlers) ->
    link(Pid),
    {Reply, Next} = add(Handler, Args, Pid, Handlers),
    answer(From, Reply, Parent, Next);
request({delete_handler, Handler, Args}, From, Parent, Handlers) ->
    {Reply, Next} = case find(Handler, Handlers) of
                        false -> {{error, module_not_found}, Handlers};
                        H -> {removed(H, Args, normal), lists:delete(H, Handlers)}
                    end,
    answer(From, Reply, Parent, Next);
request({swap_handler, Old, Args1, New, Args2}, From, Parent, Handlers) ->
    {Reply, Next} = swap(Old, Args1, New, Args2, keep, Handlers),
    answer(From, Reply, Parent, Next);
request({swap_sup_handler, Old, Args1, New, Args2, Pid}, From, Parent, Handlers) ->
    link(Pid),
    {Reply, Next} = swap(Old, Args1, New, Args2, Pid, Handlers),
    answer(From, Reply, Parent, Next);
request(which_handlers, From, Parent, Handlers) ->
    answer(From, [shown(H) || H <- Handlers], Parent, Handlers);
request({call, Handler, Request}, From, Parent, Handlers) ->
    {Reply, Next} = ask_handler(Handler, Request, Handlers),
    answer(From, Reply, Parent, Next).

answer(From, Reply, Parent, Handlers) ->
    gen:reply(From, Reply),
    loop(Parent, Handlers).

shown(#handler{module = Module, id = false}) -> Module;
shown(#handler{module = Module, id = Id}) -> {Module, Id}.

find({Module, Id}, Handlers) -> first([H || #handler{module = M, id = I} = H <- Handlers, M =:= Module, I =:= Id]);
find(Module, Handlers) -> first([H || #handler{module = M, id = false} = H <- Handlers, M =:= Module]).

first([H | _]) -> H;
first([]) -> false.

named({Module, Id}) -> #handler{module = Module, id = Id};
named(Module) -> #handler{module = Module}.

add(Handler, Args, Pid, Handlers) ->
    #handler{module = Module} = New = (named(Handler))#handler{supervised = Pid},
    case catch Module:init(Args) of
        {ok, State} -> {ok, [New#handler{state = State} | Handlers]};
        {ok, State, hibernate} -> {ok, [New#handler{state = State} | Handlers]};
        Other -> {Other, Handlers}
    end.

swap(Old, Args1, New, Args2, Pid, Handlers) ->
    case find(Old, Handlers) of
        false -> add(New, {Args2, error}, given(Pid, false), Handlers);
        #handler{supervised = Owner} = H ->
            Term = terminated(H, Args1),
            told(H, {swapped, New, given(Pid, Owner)}),
            add(New, {Args2, Term}, given(Pid, Owner), lists:delete(H, Handlers))
    end.

given(keep, Owner) -> Owner;
given(Pid, _) -> Pid.

%% Each handler in turn; those that ask for it or fail are removed or swapped.
notify_all(Function, Event, Handlers) ->
    notify_all(Function, Event, Handlers, []).

notify_all(Function, Event, [H | Rest], Done) ->
    notify_all(Function, Event, Rest, lists:reverse(notify_one(Function, Event, H)) ++ Done);
notify_all(_, _, [], Done) -> lists:reverse(Done).

notify_one(Function, Event, #handler{module = Module, state = State} = H) ->
    case erlang:function_exported(Module, Function, 2) of
        true -> outcome(catch Module:Function(Event, State), H, Event);
        false -> [H]
    end.

outcome({ok, State}, H, _) -> [H#handler{state = State}];
outcome({ok, State, hibernate}, H, _) -> [H#handler{state = State}];
outcome(remove_handler, H, _) ->
    finish(H, remove_handler),
    [];
outcome({swap_handler, Args1, State, New, Args2}, H, _) ->
    Term = terminated(H#handler{state = State}, Args1),
    told(H, {swapped, New, H#handler.supervised}),
    element(2, add(New, {Args2, Term}, H#handler.supervised, []));
outcome(Other, H, _Event) ->
    ?REPORT(H, _Event, Other),
    finish(H, {error, Other}),
    [].

ask_handler(Handler, Request, Handlers) ->
    case find(Handler, Handlers) of
        false -> {{error, bad_module}, Handlers};
        #handler{module = Module, state = State} = H ->
            case catch Module:handle_call(Request, State) of
                {ok, Reply, New} -> {Reply, replace(H, [H#handler{state = New}], Handlers)};
                {ok, Reply, New, hibernate} -> {Reply, replace(H, [H#handler{state = New}], Handlers)};
                {remove_handler, Reply} ->
                    finish(H, remove_handler),
                    {Reply, lists:delete(H, Handlers)};
                {swap_handler, Reply, Args1, New, Handler2, Args2} ->
                    {Reply, replace(H, outcome({swap_handler, Args1, New, Handler2, Args2}, H, none), Handlers)};
                Other ->
                    ?REPORT(H, Request, Other),
                    finish(H, {error, Other}),
                    {{error, Other}, lists:delete(H, Handlers)}
            end
    end.

replace(H, New, [H | Rest]) -> New ++ Rest;
replace(H, New, [Other | Rest]) -> [Other | replace(H, New, Rest)].

terminated(#handler{module = Module, state = State}, Args) ->
    case erlang:function_exported(Module, terminate, 2) of
        true -> catch Module:terminate(Args, State);
        false -> ok
    end.

removed(H, Args, Reason) ->
    Term = terminated(H, Args),
    told(H, Reason),
    Term.

finish(H, remove_handler) -> removed(H, remove_handler, normal);
finish(H, {stop, Reason}) -> terminated(H, {stop, Reason});
finish(H, {error, What}) -> removed(H, {error, What}, What).

told(#handler{supervised = false}, _) -> ok;
told(#handler{supervised = Pid} = H, Reason) ->
    Pid ! {gen_event_EXIT, shown(H), Reason},
    ok.

stopped(Reason, Handlers) ->
    [removed(H, stop, shutdown) || H <- Handlers],
    exit(Reason).
