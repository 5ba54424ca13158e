%% Supervisors: a generic server whose children are linked to it. Time is virtual, so that in a search all restarts
%% fall into one period. Reports of progress and crashes are not written.
-module(supervisor).
-behaviour(gen_server).
-export([start_link/2, start_link/3, start_child/2, restart_child/2, delete_child/2,
         terminate_child/2, which_children/1, count_children/1, check_childspecs/1,
         get_childspec/2, init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

-record(child, {pid, id, start, restart, significant, shutdown, type, modules}).
-record(state, {name, strategy, intensity, period, auto, children = [], dynamic = [], restarts = [],
                module, args}).

%% Where the program has log handlers, what happens to children is reported.
-ifdef(REPORTS).
-define(REPORT(Context, State, Reason, Child), foresee_reports:supervisor(Context, shown_name(State), Reason, offender(Child, State))).
-define(PROGRESS(Child), progress(Child)).
%% One that is not started again is reported unless it has ended in order.
-define(TEMPORARY(Restart, Reason, State, Child),
        case is_restarted(transient, Reason) andalso Restart =:= temporary of
            true -> ?REPORT(child_terminated, State, Reason, Child);
            false -> ok
        end).
shown_name(#state{name = self, module = Module}) -> {self(), Module};
shown_name(#state{name = Name}) -> Name.
offender(#child{pid = Pid, id = Id, start = Start, restart = Restart, significant = Significant, shutdown = Shutdown, type = Type}, _) ->
    [{pid, Pid}, {id, Id}, {mfargs, Start}, {restart_type, Restart}, {significant, Significant}, {shutdown, Shutdown},
     {child_type, Type}];
offender(Pid, #state{children = [Child], dynamic = Dynamic}) ->
    {M, F, _} = Child#child.start,
    Args = case lists:keyfind(Pid, 1, Dynamic) of {_, Known} -> Known; false -> [] end,
    offender(Child#child{pid = Pid, start = {M, F, Args}}, none).
progress(Child) -> foresee_reports:progress(progress_name(), offender(Child, none)).
progress_name() ->
    case get('$foresee_name') of
        Pid when is_pid(Pid) -> Pid;
        Name -> Name
    end.
-else.
-define(REPORT(Context, State, Reason, Child), ok).
-define(PROGRESS(Child), ok).
-define(TEMPORARY(Restart, Reason, State, Child), ok).
-endif.

start_link(Mod, Args) -> gen_server:start_link(supervisor, {self, Mod, Args}, []).
start_link(Name, Mod, Args) -> gen_server:start_link(Name, supervisor, {Name, Mod, Args}, []).

start_child(Sup, Spec) -> call(Sup, {start_child, Spec}).
restart_child(Sup, Id) -> call(Sup, {restart_child, Id}).
delete_child(Sup, Id) -> call(Sup, {delete_child, Id}).
terminate_child(Sup, Id) -> call(Sup, {terminate_child, Id}).
which_children(Sup) -> call(Sup, which_children).
count_children(Sup) -> call(Sup, count_children).
get_childspec(Sup, Id) -> call(Sup, {get_childspec, Id}).
call(Sup, Request) -> gen_server:call(Sup, Request, infinity).

check_childspecs(Specs) ->
    case specs(Specs) of
        {ok, _} -> ok;
        Error -> Error
    end.

init({Name, Mod, Args}) ->
    process_flag(trap_exit, true),
    case Mod:init(Args) of
        {ok, {Flags, Specs}} ->
            case flags(Flags) of
                {ok, State} -> begin_with(specs(Specs), State#state{name = Name, module = Mod, args = Args});
                {error, What} -> {stop, {supervisor_data, What}}
            end;
        ignore -> ignore;
        Other -> {stop, {bad_return, {Mod, init, Other}}}
    end.

begin_with({error, What}, _) -> {stop, {start_spec, What}};
begin_with({ok, [Child]}, #state{strategy = simple_one_for_one} = State) ->
    {ok, State#state{children = [Child]}};
begin_with({ok, Children}, #state{strategy = simple_one_for_one}) ->
    {stop, {bad_start_spec, [spec(C) || C <- Children]}};
begin_with({ok, Children}, State) ->
    case start_all(Children, []) of
        {ok, Started} -> {ok, State#state{children = Started}};
        {error, Started, Child, Reason} ->
            ?REPORT(start_error, State, Reason, Child),
            stop_all(lists:reverse(Started)),
            {stop, {shutdown, {failed_to_start_child, Child#child.id, Reason}}}
    end.

%% Children are kept in the order in which they were given. Gives those started so far when one fails.
start_all([Child | Rest], Started) ->
    case start_one(Child) of
        {ok, undefined} when Child#child.restart =:= temporary -> start_all(Rest, Started);
        {ok, Pid} ->
            ?PROGRESS(Child#child{pid = Pid}),
            start_all(Rest, [Child#child{pid = Pid} | Started]);
        {ok, Pid, _} ->
            ?PROGRESS(Child#child{pid = Pid}),
            start_all(Rest, [Child#child{pid = Pid} | Started]);
        {error, Reason} -> {error, lists:reverse(Started), Child, Reason}
    end;
start_all([], Started) -> {ok, lists:reverse(Started)}.

start_one(#child{id = Id, start = {M, F, A}}) -> start_one(Id, M, F, A).
start_one(M, F, A) -> start_one(undefined, M, F, A).

%% Who is started is known by the id of the child.
start_one(Id, M, F, A) ->
    gen:foresee_child({child, Id}),
    Return = (catch apply(M, F, A)),
    gen:foresee_child(none),
    case Return of
        {ok, Pid} when is_pid(Pid) -> {ok, Pid};
        {ok, Pid, Extra} when is_pid(Pid) -> {ok, Pid, Extra};
        ignore -> {ok, undefined};
        {error, What} -> {error, What};
        What -> {error, What}
    end.

%% In reverse order, as in which they depend on each other.
stop_all(Children) -> lists:foreach(fun stop_child/1, Children).

stop_child(#child{pid = Pid, shutdown = Shutdown}) when is_pid(Pid) -> shut_down(Pid, Shutdown);
stop_child(_) -> ok.

shut_down(Pid, brutal_kill) -> wait(gen:foresee_shut_down(Pid, kill), Pid, infinity);
shut_down(Pid, Time) -> wait(gen:foresee_shut_down(Pid, shutdown), Pid, Time).

wait({gone, _}, _, _) -> ok;
wait(Ref, Pid, Time) ->
    receive
        {'DOWN', Ref, process, Pid, _} -> ok
    after Time ->
        exit(Pid, kill),
        receive {'DOWN', Ref, process, Pid, _} -> ok end
    end.

handle_call({start_child, Args}, _, #state{strategy = simple_one_for_one} = State) ->
    [#child{start = {M, F, A}} = Child] = State#state.children,
    All = A ++ Args,
    case start_one(M, F, All) of
        {ok, undefined} -> {reply, {ok, undefined}, State};
        {ok, Pid} -> {reply, {ok, Pid}, dynamic(Pid, Child, All, State)};
        {ok, Pid, Extra} -> {reply, {ok, Pid, Extra}, dynamic(Pid, Child, All, State)};
        Error -> {reply, Error, State}
    end;
handle_call({start_child, Spec}, _, State) ->
    case child(Spec) of
        {ok, Child} -> add(find(Child#child.id, State), Child, State);
        Error -> {reply, Error, State}
    end;
handle_call({terminate_child, Pid}, _, #state{strategy = simple_one_for_one} = State) when is_pid(Pid) ->
    case lists:keymember(Pid, 1, State#state.dynamic) of
        true ->
            [#child{shutdown = Shutdown}] = State#state.children,
            shut_down(Pid, Shutdown),
            {reply, ok, forget(Pid, State)};
        false ->
            case is_process_alive(Pid) of
                true -> {reply, {error, not_found}, State};
                false -> {reply, ok, State}
            end
    end;
handle_call({terminate_child, _}, _, #state{strategy = simple_one_for_one} = State) ->
    {reply, {error, simple_one_for_one}, State};
handle_call({terminate_child, Id}, _, State) ->
    case find(Id, State) of
        false -> {reply, {error, not_found}, State};
        Child ->
            stop_child(Child),
            case Child#child.restart of
                temporary -> {reply, ok, drop(Id, State)};
                _ -> {reply, ok, put_child(Child#child{pid = undefined}, State)}
            end
    end;
handle_call({_, _}, _, #state{strategy = simple_one_for_one} = State) ->
    {reply, {error, simple_one_for_one}, State};
handle_call({restart_child, Id}, _, State) ->
    case find(Id, State) of
        false -> {reply, {error, not_found}, State};
        #child{pid = undefined} = Child ->
            case start_one(Child) of
                {ok, Pid} -> {reply, {ok, Pid}, put_child(Child#child{pid = Pid}, State)};
                {ok, Pid, Extra} -> {reply, {ok, Pid, Extra}, put_child(Child#child{pid = Pid}, State)};
                Error -> {reply, Error, State}
            end;
        #child{pid = {restarting, _}} -> {reply, {error, restarting}, State};
        _ -> {reply, {error, running}, State}
    end;
handle_call({delete_child, Id}, _, State) ->
    case find(Id, State) of
        false -> {reply, {error, not_found}, State};
        #child{pid = undefined} -> {reply, ok, drop(Id, State)};
        #child{pid = {restarting, _}} -> {reply, {error, restarting}, State};
        _ -> {reply, {error, running}, State}
    end;
handle_call({get_childspec, Id}, _, State) ->
    case find(Id, State) of
        false -> {reply, {error, not_found}, State};
        Child -> {reply, {ok, spec(Child)}, State}
    end;
handle_call(which_children, _, #state{strategy = simple_one_for_one} = State) ->
    [#child{type = Type, modules = Modules}] = State#state.children,
    {reply, [{undefined, shown(Pid), Type, Modules} || {Pid, _} <- State#state.dynamic], State};
handle_call(which_children, _, State) ->
    All = [{Id, shown(Pid), Type, Modules}
           || #child{id = Id, pid = Pid, type = Type, modules = Modules} <- State#state.children],
    {reply, lists:reverse(All), State};
handle_call(count_children, _, State) ->
    Pairs = case State#state.strategy of
                simple_one_for_one ->
                    [#child{type = T}] = State#state.children,
                    [{T, Pid} || {Pid, _} <- State#state.dynamic];
                _ -> [{T, Pid} || #child{type = T, pid = Pid} <- State#state.children]
            end,
    Specs = length(State#state.children),
    Counts = [{specs, Specs},
              {active, active([P || {_, P} <- Pairs, is_pid(P)], State)},
              {supervisors, length([T || {supervisor = T, _} <- Pairs])},
              {workers, length([T || {worker = T, _} <- Pairs])}],
    {reply, Counts, State}.

%% Dynamic children are only counted, the others are looked at: one that has just died is not active.
active(Pids, #state{strategy = simple_one_for_one}) -> length(Pids);
active(Pids, _) -> gen:foresee_alive(Pids).

shown({restarting, _}) -> restarting;
shown(Pid) -> Pid.

add(false, Child, State) ->
    case start_one(Child) of
        {ok, undefined} when Child#child.restart =:= temporary -> {reply, {ok, undefined}, State};
        {ok, Pid} -> {reply, {ok, Pid}, append(Child#child{pid = Pid}, State)};
        {ok, Pid, Extra} -> {reply, {ok, Pid, Extra}, append(Child#child{pid = Pid}, State)};
        {error, Reason} -> {reply, {error, {Reason, Child}}, State}
    end;
add(#child{pid = undefined}, _, State) -> {reply, {error, already_present}, State};
add(#child{pid = Pid}, _, State) -> {reply, {error, {already_started, Pid}}, State}.

handle_cast({try_again, Id}, #state{strategy = simple_one_for_one} = State) ->
    case lists:keyfind(Id, 1, State#state.dynamic) of
        {{restarting, _} = Old, _} -> again(Old, State);
        _ -> {noreply, State}
    end;
handle_cast({try_again, Id}, State) ->
    case find(Id, State) of
        #child{pid = {restarting, _}} = Child -> again(Child, State);
        _ -> {noreply, State}
    end.

again(What, State) ->
    case restart(What, State) of
        {ok, Next} -> {noreply, Next};
        {shutdown, Next} -> {stop, shutdown, Next}
    end.

handle_info({'EXIT', Pid, Reason}, #state{strategy = simple_one_for_one} = State) ->
    case lists:keymember(Pid, 1, State#state.dynamic) of
        true ->
            [Child] = State#state.children,
            case is_restarted(Child#child.restart, Reason) of
                true ->
                    ?REPORT(child_terminated, State, Reason, Pid),
                    again(Pid, State);
                false ->
                    ?TEMPORARY(Child#child.restart, Reason, State, Pid),
                    after_end(Child, forget(Pid, State))
            end;
        false -> {noreply, State}
    end;
handle_info({'EXIT', Pid, Reason}, State) ->
    case lists:keyfind(Pid, #child.pid, State#state.children) of
        false -> {noreply, State};
        #child{restart = Restart, id = Id} = Child ->
            case is_restarted(Restart, Reason) of
                true ->
                    ?REPORT(child_terminated, State, Reason, Child),
                    again(Child, State);
                false when Restart =:= temporary ->
                    ?TEMPORARY(Restart, Reason, State, Child),
                    after_end(Child, drop(Id, State));
                false -> after_end(Child, put_child(Child#child{pid = undefined}, State))
            end
    end;
handle_info(_, State) -> {noreply, State}.

is_restarted(permanent, _) -> true;
is_restarted(temporary, _) -> false;
is_restarted(transient, normal) -> false;
is_restarted(transient, shutdown) -> false;
is_restarted(transient, {shutdown, _}) -> false;
is_restarted(transient, _) -> true.

%% A significant child that ends by itself may end its supervisor.
after_end(#child{significant = true}, #state{auto = any_significant} = State) -> {stop, shutdown, State};
after_end(#child{significant = true}, #state{auto = all_significant} = State) ->
    case [C || #child{significant = true, pid = Pid} = C <- State#state.children, is_pid(Pid)] of
        [] -> {stop, shutdown, State};
        _ -> {noreply, State}
    end;
after_end(_, State) -> {noreply, State}.

restart(What, #state{intensity = Intensity, period = Period, restarts = Old} = State) ->
    Now = gen:foresee_seconds(),
    Recent = [Now | [T || T <- Old, T >= Now - Period]],
    case length(Recent) > Intensity of
        true ->
            ?REPORT(shutdown, State, reached_max_restart_intensity, What),
            {shutdown, gone(What, State#state{restarts = Recent})};
        false -> strategy(State#state.strategy, What, State#state{restarts = Recent})
    end.

gone(#child{restart = temporary, id = Id}, State) -> drop(Id, State);
gone(#child{} = Child, State) -> put_child(Child#child{pid = undefined}, State);
gone(Pid, State) -> forget(Pid, State).

strategy(simple_one_for_one, Old, State) ->
    [#child{start = {M, F, _}} = Child] = State#state.children,
    {_, Args} = lists:keyfind(Old, 1, State#state.dynamic),
    Without = forget(Old, State),
    case start_one(M, F, Args) of
        {ok, undefined} -> {ok, Without};
        {ok, Pid} -> {ok, dynamic(Pid, Child, Args, Without)};
        {ok, Pid, _} -> {ok, dynamic(Pid, Child, Args, Without)};
        {error, _ = Why} ->
            ?REPORT(start_error, State, Why, Old),
            Waiting = {restarting, pid_of(Old)},
            gen_server:cast(self(), {try_again, Waiting}),
            {ok, dynamic(Waiting, Child, Args, Without)}
    end;
strategy(one_for_one, #child{id = Id} = Child, State) ->
    case start_one(Child) of
        {ok, Pid} -> {ok, put_child(Child#child{pid = Pid}, State)};
        {ok, Pid, _} -> {ok, put_child(Child#child{pid = Pid}, State)};
        {error, _ = Why} ->
            ?REPORT(start_error, State, Why, Child),
            gen_server:cast(self(), {try_again, Id}),
            {ok, put_child(Child#child{pid = {restarting, pid_of(Child#child.pid)}}, State)}
    end;
strategy(rest_for_one, #child{id = Id}, #state{children = Children} = State) ->
    {Before, After} = lists:splitwith(fun(C) -> C#child.id =/= Id end, Children),
    restart_group(Id, Before, After, State);
strategy(one_for_all, #child{id = Id}, #state{children = Children} = State) ->
    restart_group(Id, [], Children, State).

%% Ends the children of the group that still run, last first, and starts them again.
restart_group(Id, Before, Group, State) ->
    stop_all(lists:reverse([C || C <- Group, C#child.id =/= Id])),
    Kept = [C#child{pid = undefined} || C <- Group, C#child.restart =/= temporary],
    case start_all(Kept, []) of
        {ok, Started} -> {ok, State#state{children = Before ++ Started}};
        {error, Started, #child{id = Failed}, _} ->
            Rest = lists:nthtail(length(Started), Kept),
            Now = [case C#child.id of
                       Failed -> C#child{pid = {restarting, undefined}};
                       _ -> C
                   end || C <- Rest],
            gen_server:cast(self(), {try_again, Failed}),
            {ok, State#state{children = Before ++ Started ++ Now}}
    end.

pid_of({restarting, Pid}) -> Pid;
pid_of(Pid) -> Pid.

terminate(_, #state{strategy = simple_one_for_one, children = [Child]} = State) ->
    Running = [Pid || {Pid, _} <- State#state.dynamic, is_pid(Pid)],
    stop_many(Running, Child#child.shutdown);
terminate(_, State) -> stop_all(lists:reverse(State#state.children)).

%% Dynamic children are told all at once, then waited for.
stop_many(Pids, brutal_kill) -> wait_many([{P, gen:foresee_shut_down(P, kill)} || P <- Pids], infinity);
stop_many(Pids, Time) -> wait_many([{P, gen:foresee_shut_down(P, shutdown)} || P <- Pids], Time).

wait_many(Told, Time) -> lists:foreach(fun({Pid, Ref}) -> wait(Ref, Pid, Time) end, Told).

find(Id, #state{children = Children}) -> lists:keyfind(Id, #child.id, Children).
put_child(#child{id = Id} = Child, #state{children = Children} = State) ->
    State#state{children = lists:keyreplace(Id, #child.id, Children, Child)}.
drop(Id, #state{children = Children} = State) ->
    State#state{children = lists:keydelete(Id, #child.id, Children)}.
append(Child, #state{children = Children} = State) -> State#state{children = Children ++ [Child]}.

%% Dynamic children are kept sorted by pid.
dynamic(Pid, _, Args, #state{dynamic = Old} = State) ->
    State#state{dynamic = lists:keysort(1, [{Pid, Args} | Old])}.
forget(Pid, #state{dynamic = Old} = State) -> State#state{dynamic = lists:keydelete(Pid, 1, Old)}.

flags({Strategy, Intensity, Period}) ->
    checked_flags(Strategy, Intensity, Period, never);
flags(Flags) when is_map(Flags) ->
    checked_flags(maps:get(strategy, Flags, one_for_one), maps:get(intensity, Flags, 1),
                  maps:get(period, Flags, 5), maps:get(auto_shutdown, Flags, never));
flags(What) -> {error, {invalid_type, What}}.

checked_flags(Strategy, Intensity, Period, Auto) ->
    Strategies = [one_for_one, one_for_all, rest_for_one, simple_one_for_one],
    IsStrategy = lists:member(Strategy, Strategies),
    if
        not IsStrategy -> {error, {invalid_strategy, Strategy}};
        not (is_integer(Intensity) andalso Intensity >= 0) -> {error, {invalid_intensity, Intensity}};
        not (is_integer(Period) andalso Period > 0) -> {error, {invalid_period, Period}};
        true -> {ok, #state{strategy = Strategy, intensity = Intensity, period = Period, auto = Auto}}
    end.

specs(Specs) when is_list(Specs) -> specs(Specs, []);
specs(What) -> {error, {invalid_type, What}}.

specs([Spec | Rest], Done) ->
    case child(Spec) of
        {ok, #child{id = Id} = Child} ->
            case lists:keymember(Id, #child.id, Done) of
                true -> {error, {duplicate_child_name, Id}};
                false -> specs(Rest, [Child | Done])
            end;
        Error -> Error
    end;
specs([], Done) -> {ok, lists:reverse(Done)}.

child({Id, Start, Restart, Shutdown, Type, Modules}) ->
    checked(#child{id = Id, start = Start, restart = Restart, significant = false,
                   shutdown = Shutdown, type = Type, modules = Modules});
child(#{id := Id, start := {M, _, _} = Start} = Spec) ->
    Type = maps:get(type, Spec, worker),
    Default = case Type of supervisor -> infinity; _ -> 5000 end,
    checked(#child{id = Id, start = Start, restart = maps:get(restart, Spec, permanent),
                   significant = maps:get(significant, Spec, false),
                   shutdown = maps:get(shutdown, Spec, Default), type = Type,
                   modules = maps:get(modules, Spec, [M])});
child(#{id := _}) -> {error, missing_start};
child(Spec) when is_map(Spec) -> {error, missing_id};
child(Spec) -> {error, {invalid_child_spec, Spec}}.

checked(#child{start = Start, restart = Restart, shutdown = Shutdown, type = Type} = Child) ->
    IsRestart = lists:member(Restart, [permanent, transient, temporary]),
    IsShutdown = (is_integer(Shutdown) andalso Shutdown > 0) orelse Shutdown =:= infinity
                 orelse Shutdown =:= brutal_kill,
    IsType = lists:member(Type, [worker, supervisor]),
    case Start of
        {M, F, A} when is_atom(M), is_atom(F), is_list(A) ->
            if
                not IsRestart -> {error, {invalid_restart_type, Restart}};
                not IsShutdown -> {error, {invalid_shutdown, Shutdown}};
                not IsType -> {error, {invalid_child_type, Type}};
                true -> {ok, Child}
            end;
        _ -> {error, {invalid_mfa, Start}}
    end.

spec(#child{id = Id, start = Start, restart = Restart, significant = Significant,
            shutdown = Shutdown, type = Type, modules = Modules}) ->
    #{id => Id, start => Start, restart => Restart, significant => Significant,
      shutdown => Shutdown, type => Type, modules => Modules}.
