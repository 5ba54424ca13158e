%% What behaviours report to logger, in programs that have log handlers of their own: how a server, a machine, an event handler or
%% a process of proc_lib came to its end, and what supervisors do about it. In other programs nothing calls this.
%% Reports say what can be known without looking at others: the stack of a client that waits, and the messages and links of a
%% process that crashed, are left out. Crashes of processes that proc_lib did not start are not reported.
-module(foresee_reports).
-export([keep_last/2, keep_event/2, server/5, handler/4, machine/6, old_machine/5, format_old_machine/1, process/4, supervisor/4, progress/2, application/3,
         format_server/1, format_handler/1, format_machine/1, text/2]).

%% The message that a server is about to end with.
keep_last({stop, _, _} = Return, Message) -> kept(Return, Message);
keep_last({stop, _, _, _} = Return, Message) -> kept(Return, Message);
keep_last({'$crash', _, _, _} = Return, Message) -> kept(Return, Message);
keep_last(Return, _) when element(1, Return) =:= noreply; element(1, Return) =:= reply -> Return;
keep_last(Return, Message) -> kept(Return, Message).

%% The same for machines, whose orderly returns are many.
keep_event(Return, Event) when Return =:= stop; element(1, Return) =:= stop; element(1, Return) =:= stop_and_reply;
                               element(1, Return) =:= '$crash' ->
    kept(Return, Event);
keep_event(Return, _) -> Return.

kept(Return, Message) ->
    put('$foresee_last', Message),
    Return.

is_orderly(exit, normal) -> true;
is_orderly(exit, shutdown) -> true;
is_orderly(exit, {shutdown, _}) -> true;
is_orderly(_, _) -> false.

name() ->
    case get('$foresee_name') of
        undefined -> self();
        {local, Name} -> Name;
        {global, Name} -> Name;
        {via, _, Name} -> Name;
        Pid -> Pid
    end.

last() ->
    case erase('$foresee_last') of
        {'$gen_call', _, Request} -> Request;
        Message -> Message
    end.

with_stack(exit, Reason, []) -> Reason;
with_stack(throw, Reason, Stack) -> {{nocatch, Reason}, Stack};
with_stack(_, Reason, Stack) -> {Reason, Stack}.

server(Class, Reason, Stack, _, State) ->
    case is_orderly(Class, Reason) of
        true -> ok;
        false ->
            Report = #{label => {gen_server, terminate}, name => name(), last_message => last(), state => State, log => [],
                       reason => with_stack(Class, Reason, Stack), client_info => undefined},
            tell(error, gen_server, Report, fun gen_server:format_log/1, fun gen_server:format_log/2)
    end.

handler(Handler, Last, State, Reason) ->
    Report = #{label => {gen_event, terminate}, handler => Handler, name => name(), last_message => Last, state => State,
               reason => Reason},
    tell(error, gen_event, Report, fun gen_event:format_log/1, fun gen_event:format_log/2).

machine(Class, Reason, Stack, Module, State, Data) ->
    case is_orderly(Class, Reason) of
        true -> ok;
        false ->
            Queue = case last() of undefined -> []; Event -> [Event] end,
            Report = #{label => {gen_statem, terminate}, name => name(), queue => Queue, postponed => [], modules => [Module],
                       callback_mode => element(1, mode(Module)), state_enter => element(2, mode(Module)),
                       state => {State, Data}, timeouts => {0, []}, log => [],
                       reason => {Class, Reason, Stack}, client_info => undefined},
            tell(error, gen_statem, Report, fun gen_statem:format_log/1, fun gen_statem:format_log/2)
    end.

old_machine(Class, Reason, Stack, State, Data) ->
    case is_orderly(Class, Reason) of
        true -> ok;
        false ->
            Report = #{label => {gen_fsm, terminate}, name => name(), last_message => last(), state_name => State,
                       state_data => Data, log => [], reason => with_stack(Class, Reason, Stack), client_info => undefined},
            tell(error, gen_fsm, Report, fun gen_fsm:format_log/1, fun gen_fsm:format_log/2)
    end.

mode(Module) ->
    Modes = lists:flatten([Module:callback_mode()]),
    {hd(Modes -- [state_enter]), lists:member(state_enter, Modes)}.

tell(Level, Module, Report, One, Two) ->
    logged(Level, Module, Report, #{domain => [otp], report_cb => Two, error_logger => #{tag => error, report_cb => One}}).

logged(Level, Module, Report, Meta) ->
    case logger:allow(Level, Module) of
        true -> logger:macro_log(#{}, Level, Report, Meta);
        false -> ok
    end.

process(Class, Reason, Stack, Initial) ->
    case is_orderly(Class, Reason) of
        true -> ok;
        false ->
            Name = case get('$foresee_name') of {local, Atom} -> Atom; _ -> [] end,
            Own = ['$ancestors', '$initial_call', '$foresee_name', '$foresee_last'],
            Info = [{initial_call, arguments(Initial)}, {pid, self()}, {registered_name, Name},
                    {error_info, {Class, Reason, Stack}}, {ancestors, get('$ancestors')},
                    {dictionary, [Pair || {Key, _} = Pair <- get(), not lists:member(Key, Own)]}, {status, running}],
            logged(error, proc_lib, #{label => {proc_lib, crash}, report => [Info, []]},
                   #{domain => [otp, sasl], report_cb => fun foresee_reports:text/2,
                     logger_formatter => #{title => "CRASH REPORT"},
                     error_logger => #{tag => error_report, type => crash_report}})
    end.

%% A process that was started with a fun is known by that.
arguments({erlang, apply, [Fun, []]}) when is_function(Fun) ->
    {module, M} = erlang:fun_info(Fun, module),
    {name, F} = erlang:fun_info(Fun, name),
    {M, F, []};
arguments({M, F, A}) when is_integer(A) ->
    {M, F, [list_to_atom("Argument__" ++ integer_to_list(N)) || N <- lists:seq(1, A)]};
arguments(Other) -> Other.

supervisor(Context, Name, Reason, Offender) ->
    Report = [{supervisor, Name}, {errorContext, Context}, {reason, Reason}, {offender, Offender}],
    logged(error, supervisor, #{label => {supervisor, Context}, report => Report},
           #{domain => [otp, sasl], report_cb => fun foresee_reports:text/2,
             logger_formatter => #{title => "SUPERVISOR REPORT"},
             error_logger => #{tag => error_report, type => supervisor_report}}).

progress(Name, Started) ->
    logged(info, supervisor, #{label => {supervisor, progress}, report => [{supervisor, Name}, {started, Started}]},
           #{domain => [otp, sasl], report_cb => fun foresee_reports:text/2,
             logger_formatter => #{title => "PROGRESS REPORT"},
             error_logger => #{tag => info_report, type => progress}}).

application(Name, Reason, Type) ->
    logged(notice, application_controller,
           #{label => {application_controller, exit}, report => [{application, Name}, {exited, Reason}, {type, Type}]},
           #{domain => [otp], report_cb => fun foresee_reports:text/2, error_logger => #{tag => info_report, type => std_info}}).

%%% As text.

text(Report, _) ->
    {Format, Args} = logger:format_otp_report(Report),
    io_lib:format(Format, Args).

format_server(#{name := Name, last_message := Last, state := State, reason := Reason}) ->
    {"** Generic server ~tp terminating \n** Last message in was ~tp~n** When Server state == ~tp~n"
     "** Reason for termination ==~n** ~tp~n", [Name, Last, State, plain(Reason)]}.

format_handler(#{handler := Handler, name := Name, last_message := Last, state := State, reason := Reason}) ->
    {"** gen_event handler ~tp crashed.\n** Was installed in ~tp\n** Last event was: ~tp\n"
     "** When handler state == ~tp\n** Reason == ~tp\n", [Handler, Name, Last, State, plain(Reason)]}.

format_machine(#{name := Name, queue := Queue, modules := Modules, callback_mode := Mode, state_enter := Enter,
                 state := State, reason := {Class, Reason, Stack}}) ->
    {Last, LastArgs} = case Queue of [] -> {"", []}; [Event | _] -> {"** Last event = ~tp~n", [Event]} end,
    {Trace, TraceArgs} = case Stack of [] -> {"", []}; _ -> {"** Stacktrace =~n**  ~tp~n", [Stack]} end,
    Shown = case Enter of true -> [Mode, state_enter]; false -> Mode end,
    {"** State machine ~tp terminating~n" ++ Last ++ "** When server state  = ~tp~n** Reason for termination = ~tp:~tp~n"
     "** Callback modules = ~tp~n** Callback mode = ~tp~n" ++ Trace,
     [Name] ++ LastArgs ++ [State, Class, Reason, Modules, Shown] ++ TraceArgs}.

format_old_machine(#{name := Name, last_message := Last, state_name := State, state_data := Data, reason := Reason}) ->
    {Said, Args} = asked(Last),
    {"** State machine ~tp terminating \n" ++ Said ++ "** When State == ~tp~n**      Data  == ~tp~n"
     "** Reason for termination ==~n** ~tp~n", [Name] ++ Args ++ [State, Data, plain(Reason)]}.

asked({'$gen_event', Event}) -> {"** Last event in was ~tp~n", [Event]};
asked({'$gen_sync_event', From, Event}) -> {"** Last sync event in was ~tp from ~tp~n", [Event, From]};
asked({'$gen_all_state_event', Event}) -> {"** Last event in was ~tp (for all states)~n", [Event]};
asked({'$gen_sync_all_state_event', From, Event}) ->
    {"** Last sync event in was ~tp (for all states) from ~tp~n", [Event, From]};
asked({timeout, Ref, {'$gen_timer', Message}}) -> {"** Last timer event in was ~tp~n", [{timeout, Ref, Message}]};
asked({timeout, _, {'$gen_event', Event}}) -> {"** Last timer event in was ~tp~n", [Event]};
asked(Message) -> {"** Last message in was ~tp~n", [Message]}.

plain({undef, [{M, F, A, L} | Rest]}) ->
    {case lists:any(fun({Own, _}) -> Own =:= F end, exports(M)) of
         true -> undef;
         false when A =:= none -> undef;
         false -> missing(exports(M))
     end, [{M, F, A, L} | Rest]};
plain(Reason) -> Reason.

missing([]) -> 'module could not be loaded';
missing(_) -> 'function not exported'.

exports(M) ->
    try M:module_info(exports)
    catch error:undef -> []
    end.
