%% Processes that know their ancestors and can tell their starter how they began.
%% A crash is told by the exit itself; no crash reports are written.
-module(proc_lib).
-export([spawn/1, spawn/3, spawn_link/1, spawn_link/3, spawn_opt/2, spawn_opt/4,
         start/3, start/4, start/5, start_link/3, start_link/4, start_link/5,
         start_monitor/3, start_monitor/4, start_monitor/5,
         init_ack/1, init_ack/2, init_fail/2, init_fail/3, hibernate/3, stop/1, stop/3,
         initial_call/1, translate_initial_call/1, set_label/1, get_label/1, foresee_init/5]).

%% Where the program has log handlers, crashes are reported.
-ifdef(REPORTS).
-define(RUN(M, F, A, Initial),
        try apply(M, F, A)
        catch
            Class:Reason:Stack ->
                foresee_reports:process(Class, Reason, Stack, initial(M, F, A, Initial)),
                erlang:raise(Class, Reason, Stack)
        end).
initial(erlang, apply, [_, []] = A, _) -> {erlang, apply, A};
initial(_, _, _, Initial) -> Initial.
-else.
-define(RUN(M, F, A, Initial), apply(M, F, A)).
-endif.

%% Where every such process begins.
foresee_init(Ancestors, Initial, M, F, A) ->
    put('$ancestors', Ancestors),
    put('$initial_call', Initial),
    ?RUN(M, F, A, Initial).

spawn(F) -> spawn_opt(F, []).
spawn(M, F, A) -> spawn_opt(M, F, A, []).
spawn_link(F) -> spawn_opt(F, [link]).
spawn_link(M, F, A) -> spawn_opt(M, F, A, [link]).
spawn_opt(F, Options) -> gen:foresee_spawn(Options, undefined, erlang, apply, [F, []]).
spawn_opt(M, F, A, Options) -> gen:foresee_spawn(Options, undefined, M, F, A).

start(M, F, A) -> start(M, F, A, infinity).
start(M, F, A, Timeout) -> start(M, F, A, Timeout, []).
start(M, F, A, Timeout, Options) ->
    gen:start_process(nolink, undefined, {M, F, A}, Timeout, Options).

start_link(M, F, A) -> start_link(M, F, A, infinity).
start_link(M, F, A, Timeout) -> start_link(M, F, A, Timeout, []).
start_link(M, F, A, Timeout, Options) ->
    gen:start_process(link, undefined, {M, F, A}, Timeout, Options).

start_monitor(M, F, A) -> start_monitor(M, F, A, infinity).
start_monitor(M, F, A, Timeout) -> start_monitor(M, F, A, Timeout, []).
start_monitor(M, F, A, Timeout, Options) ->
    {Pid, Ref} = gen:foresee_spawn([monitor | Options], undefined, M, F, A),
    receive
        {ack, Pid, Return} -> {Return, Ref};
        {'DOWN', Ref, process, Pid, Reason} ->
            self() ! {'DOWN', Ref, process, Pid, Reason},
            {{error, Reason}, Ref}
    after Timeout ->
        exit(Pid, kill),
        {{error, timeout}, Ref}
    end.

init_ack(Return) ->
    [Parent | _] = get('$ancestors'),
    init_ack(Parent, Return).

init_ack(Parent, Return) ->
    gen:foresee_acknowledge(Parent, undefined, Return),
    ok.

init_fail(Return, How) ->
    [Parent | _] = get('$ancestors'),
    init_fail(Parent, Return, How).

init_fail(Parent, Return, How) ->
    gen:foresee_acknowledge(Parent, undefined, Return),
    case How of
        {Class, Reason} -> erlang:raise(Class, Reason, []);
        {Class, Reason, Stack} -> erlang:raise(Class, Reason, Stack)
    end.

hibernate(M, F, A) -> erlang:hibernate(M, F, A).

stop(Process) -> stop(Process, normal, infinity).
stop(Process, Reason, Timeout) ->
    try gen:terminate(Process, Reason, Timeout)
    catch exit:Why -> exit(Why)
    end.

%% What a process was started with; its arguments are only counted.
initial_call(Process) ->
    case translate_initial_call(Process) of
        {proc_lib, init_p, 5} -> false;
        {M, F, A} -> {M, F, [list_to_atom("Argument__" ++ integer_to_list(N)) || N <- lists:seq(1, A)]}
    end.

translate_initial_call(Pid) when Pid =:= self() -> translated(get('$initial_call'));
translate_initial_call(Pid) when is_pid(Pid) ->
    case proc_lib:foresee_dictionary(Pid) of
        {dictionary, Dictionary} ->
            translated(proplists:get_value('$initial_call', Dictionary));
        undefined -> {proc_lib, init_p, 5}
    end.

translated({M, F, A}) -> {M, F, A};
translated(_) -> {proc_lib, init_p, 5}.

set_label(Label) ->
    put('$process_label', Label),
    ok.
get_label(Pid) when Pid =:= self() -> get('$process_label');
get_label(Pid) ->
    case proc_lib:foresee_dictionary(Pid) of
        {dictionary, Dictionary} -> proplists:get_value('$process_label', Dictionary);
        undefined -> undefined
    end.
