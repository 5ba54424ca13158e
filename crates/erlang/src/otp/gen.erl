%% What the generic behaviours share: starting a process and waiting for its first word, asking and
%% answering. The functions named foresee_ are built in (builtins/behaviours.rs): each is one scheduling point.
-module(gen).
-export([start/5, start/6, start_process/5, init_it/7, call/3, call/4, aliased_call/4, reply/2, send_request/3,
         wait_response/2, receive_response/2, check_response/2, reqids_new/0, reqids_size/1,
         reqids_add/3, reqids_to_list/1, send_request/5, collect/3, check_response/3, stop/1, stop/3, terminate/3,
         destination/1, name_of/1, registered_name/1, option/3, name/1, get_proc_name/1, get_parent/0,
         unregister_name/1, debug_options/2, hibernate_after/1, format_status_header/2]).

start(Behaviour, How, Module, Args, Options) ->
    start(Behaviour, How, none, Module, Args, Options).

start(Behaviour, How, Name, Module, Args, Options) ->
    Parent = case How of link -> self(); _ -> self end,
    Arguments = [Behaviour, self(), Parent, Name, Module, Args, Options],
    case taken(Name) of
        {true, Pid} -> {error, {already_started, Pid}};
        false -> start_process(How, registered_name(Name), {gen, init_it, Arguments},
                               option(timeout, Options, infinity), option(spawn_opt, Options, []))
    end.

%% Local names are looked after by foresee_spawn.
taken({global, Name}) -> taken({via, global, Name});
taken({via, Registry, Name}) ->
    case Registry:whereis_name(Name) of
        undefined -> false;
        Pid -> {true, Pid}
    end;
taken(_) -> false.

registered_name({local, Name}) -> Name;
registered_name(_) -> undefined.

option(Key, [{Key, Value} | _], _) -> Value;
option(Key, [_ | Rest], Default) -> option(Key, Rest, Default);
option(_, [], Default) -> Default.

%% Starts a process and waits for what it says with proc_lib:init_ack.
start_process(How, Name, {M, F, A}, Timeout, Options) ->
    Kind = case How of link -> [link]; _ -> [monitor] end,
    case gen:foresee_spawn(Kind ++ Options, Name, M, F, A) of
        {error, _} = Error -> Error;
        Started -> await(How, Started, Timeout)
    end.

await(link, Pid, Timeout) ->
    receive
        {ack, Pid, Return} -> Return;
        {'EXIT', Pid, Reason} -> {error, Reason}
    after Timeout ->
        give_up(Pid),
        {error, timeout}
    end;
await(nolink, {Pid, Ref}, Timeout) ->
    receive
        {ack, Pid, Return} ->
            gen:foresee_demonitor(Ref),
            Return;
        {'DOWN', Ref, process, Pid, Reason} -> {error, Reason}
    after Timeout ->
        give_up(Pid),
        {error, timeout}
    end;
await(monitor, {Pid, Ref}, Timeout) ->
    receive
        {ack, Pid, {ok, Pid}} -> {ok, {Pid, Ref}};
        {ack, Pid, Other} ->
            receive {'DOWN', Ref, process, Pid, _} -> Other end;
        {'DOWN', Ref, process, Pid, Reason} -> {error, Reason}
    after Timeout ->
        give_up(Pid),
        {error, timeout}
    end.

give_up(Pid) ->
    case gen:foresee_shut_down(Pid, kill) of
        {gone, _} -> ok;
        Ref -> receive {'DOWN', Ref, process, Pid, _} -> ok end
    end.

init_it(Behaviour, Starter, self, Name, Module, Args, Options) ->
    init_it(Behaviour, Starter, self(), Name, Module, Args, Options);
init_it(Behaviour, Starter, Parent, {global, Name}, Module, Args, Options) ->
    init_it(Behaviour, Starter, Parent, {via, global, Name}, Module, Args, Options);
init_it(Behaviour, Starter, Parent, {via, Registry, Name} = Via, Module, Args, Options) ->
    case Registry:register_name(Name, self()) of
        yes -> Behaviour:init_it(Starter, Parent, Via, Module, Args, Options);
        no ->
            Pid = Registry:whereis_name(Name),
            gen:foresee_acknowledge(Starter, undefined, {error, {already_started, Pid}})
    end;
init_it(Behaviour, Starter, Parent, none, Module, Args, Options) ->
    Behaviour:init_it(Starter, Parent, self(), Module, Args, Options);
init_it(Behaviour, Starter, Parent, Name, Module, Args, Options) ->
    Behaviour:init_it(Starter, Parent, Name, Module, Args, Options).

%% What behaviours of others call.
name({local, Name}) -> Name;
name({global, Name}) -> Name;
name({via, _, Name}) -> Name;
name(Pid) when is_pid(Pid) -> Pid.

get_proc_name(Pid) when is_pid(Pid) -> Pid;
get_proc_name({local, Name}) ->
    case whereis(Name) =:= self() of
        true -> Name;
        false -> exit(process_not_registered)
    end;
get_proc_name({global, Name}) -> get_proc_name({via, global, Name});
get_proc_name({via, Registry, Name}) ->
    case Registry:whereis_name(Name) =:= self() of
        true -> Name;
        false -> exit({process_not_registered_via, Registry})
    end.

get_parent() ->
    case get('$ancestors') of
        [Parent | _] when is_pid(Parent) -> Parent;
        [Parent | _] when is_atom(Parent) ->
            case whereis(Parent) of
                undefined -> exit(could_not_find_registered_name);
                Pid -> Pid
            end;
        _ -> exit(process_was_not_started_by_proc_lib)
    end.

unregister_name({local, Name}) ->
    try unregister(Name) of
        _ -> ok
    catch
        _:_ -> ok
    end;
unregister_name({global, Name}) -> unregister_name({via, global, Name});
unregister_name({via, Registry, Name}) ->
    Registry:unregister_name(Name),
    ok;
unregister_name(Pid) when is_pid(Pid) -> Pid.

debug_options(_, Options) -> sys:debug_options(option(debug, Options, [])).

hibernate_after(Options) -> option(hibernate_after, Options, infinity).

format_status_header(Tag, Pid) when is_pid(Pid) -> lists:concat([Tag, " ", pid_to_list(Pid)]);
format_status_header(Tag, Name) when is_atom(Name) -> lists:concat([Tag, " ", Name]);
format_status_header(Tag, Name) -> {Tag, Name}.

%% How a process is called in messages about it.
name_of(Pid) when is_pid(Pid) -> Pid;
name_of({local, Name}) -> Name;
name_of({global, Name}) -> Name;
name_of({via, _, Name}) -> Name.

%% Where to send: a pid, a name, {Name, Node}; {via, ...} is looked up.
destination({via, Registry, Name}) ->
    case Registry:whereis_name(Name) of
        undefined -> exit(noproc);
        Pid -> Pid
    end;
destination({global, Name}) -> destination({via, global, Name});
destination(To) when is_pid(To); is_atom(To) -> To;
destination({Name, Node} = To) when is_atom(Name), is_atom(Node) ->
    case Node =:= node() of
        true -> Name;
        false -> exit({nodedown, element(2, To)})
    end.

%% Without a timeout of its own a call gives up after the default one. It waits in a function of its own, ask/1, so that the
%% timeout can be told from one that the program has written.
call(Process, Label, Request) ->
    case destination(Process) of
        Self when Self =:= self() -> exit(calling_self);
        To -> ask(gen:foresee_request(To, Label, Request))
    end.

call(Process, Label, Request, infinity) ->
    case destination(Process) of
        Self when Self =:= self() -> exit(calling_self);
        To -> await_answer(gen:foresee_request(To, Label, Request, infinity))
    end;
call(Process, Label, Request, Timeout) when is_integer(Timeout), Timeout >= 0 ->
    aliased_call(Process, Label, Request, Timeout).

%% With an alias in the tag of the request, also where there is no timeout.
aliased_call(Process, Label, Request, Timeout) ->
    case destination(Process) of
        Self when Self =:= self() -> exit(calling_self);
        To -> ask(gen:foresee_request(To, Label, Request), Timeout)
    end.

ask(noproc) -> exit(noproc);
ask(calling_self) -> exit(calling_self);
ask(Ref) ->
    receive
        {[alias | Ref], Reply} -> {ok, Reply};
        {'DOWN', Ref, _, _, Reason} -> exit(Reason)
    after 5000 ->
        case gen:foresee_abandon(Ref) of
            {reply, Reply} -> {ok, Reply};
            none -> exit(timeout)
        end
    end.

ask(noproc, _) -> exit(noproc);
ask(calling_self, _) -> exit(calling_self);
ask(Ref, Timeout) ->
    receive
        {[alias | Ref], Reply} -> {ok, Reply};
        {'DOWN', Ref, _, _, Reason} -> exit(Reason)
    after Timeout ->
        case gen:foresee_abandon(Ref) of
            {reply, Reply} -> {ok, Reply};
            none -> exit(timeout)
        end
    end.

%% Without a timeout the tag of the request is the plain reference. The answer takes the monitor away when it comes.
await_answer(noproc) -> exit(noproc);
await_answer(calling_self) -> exit(calling_self);
await_answer(Ref) ->
    receive
        {Ref, Reply} -> {ok, Reply};
        {'DOWN', Ref, _, _, Reason} -> exit(Reason)
    end.

reply(From, Reply) -> gen:foresee_reply(From, Reply).

send_request(Process, Label, Request) ->
    try destination(Process) of
        To -> gen:foresee_send_request(To, Label, Request)
    catch
        exit:_ -> gen:foresee_send_request(undefined, Label, Request)
    end.

wait_response(Ref, Timeout) ->
    receive
        {[alias | Ref], Reply} -> {reply, Reply};
        {'DOWN', Ref, _, Object, Reason} -> {error, {Reason, Object}}
    after Timeout -> timeout
    end.

receive_response(Ref, Timeout) ->
    receive
        {[alias | Ref], Reply} -> {reply, Reply};
        {'DOWN', Ref, _, Object, Reason} -> {error, {Reason, Object}}
    after Timeout ->
        case gen:foresee_abandon(Ref) of
            {reply, Reply} -> {reply, Reply};
            none -> timeout
        end
    end.

check_response({[alias | Ref], Reply}, Ref) -> {reply, Reply};
check_response({'DOWN', Ref, _, Object, Reason}, Ref) -> {error, {Reason, Object}};
check_response(_, _) -> no_reply.

%% Collections of requests: a map from references to labels.
reqids_new() -> #{}.
reqids_size(Ids) -> maps:size(Ids).
reqids_to_list(Ids) -> maps:to_list(Ids).
reqids_add(Ref, _, Ids) when is_map_key(Ref, Ids) -> error(badarg);
reqids_add(Ref, Label, Ids) -> Ids#{Ref => Label}.

send_request(Process, Tag, Request, Label, Ids) ->
    Ids#{send_request(Process, Tag, Request) => Label}.

%% The first response to any of them. To give up at a timeout also forgets the others.
collect(Ids, _, _) when map_size(Ids) =:= 0 -> no_request;
collect(Ids, {GiveUp, Timeout}, Delete) ->
    receive
        {[alias | Ref], Reply} when is_map_key(Ref, Ids) ->
            response({reply, Reply}, Ref, Ids, Delete);
        {'DOWN', Ref, _, Object, Reason} when is_map_key(Ref, Ids) ->
            response({error, {Reason, Object}}, Ref, Ids, Delete)
    after Timeout ->
        case GiveUp of
            true -> [gen:foresee_abandon(Ref) || Ref <- maps:keys(Ids)];
            false -> ok
        end,
        timeout
    end.

check_response(_, Ids, _) when map_size(Ids) =:= 0 -> no_request;
check_response({[alias | Ref], Reply}, Ids, Delete) when is_map_key(Ref, Ids) ->
    response({reply, Reply}, Ref, Ids, Delete);
check_response({'DOWN', Ref, _, Object, Reason}, Ids, Delete) when is_map_key(Ref, Ids) ->
    response({error, {Reason, Object}}, Ref, Ids, Delete);
check_response(_, _, _) -> no_reply.

response(Result, Ref, Ids, true) -> {Result, maps:get(Ref, Ids), maps:remove(Ref, Ids)};
response(Result, Ref, Ids, false) -> {Result, maps:get(Ref, Ids), Ids}.

stop(Process) -> stop(Process, normal, infinity).

stop(Process, Reason, Timeout) when Timeout =:= infinity; is_integer(Timeout), Timeout >= 0 ->
    terminate(destination(Process), resolved, Reason, Timeout).

terminate(Process, Reason, Timeout) -> terminate(destination(Process), {given, Process}, Reason, Timeout).

%% As sys:terminate and then waiting for the end. A process that agrees to end says so with the message of its end, whose tag
%% is then foresee_stopped; one that ends before it has taken the request never answered it. One that speaks system messages
%% by hand may answer first.
terminate(To, Shown, Reason, Timeout) ->
    case gen:foresee_stop(To, Reason) of
        noproc -> exit(noproc);
        calling_self -> exit({calling_self, asked(Shown, self(), Reason, Timeout)});
        {Pid, Ref} ->
            receive
                {foresee_stopped, Ref, process, Pid, Reason} -> ok;
                {foresee_stopped, Ref, process, Pid, Other} -> exit(Other);
                {Ref, ok} -> ended(Pid, Ref, Reason, Timeout);
                {'DOWN', Ref, process, Pid, noproc} -> exit(noproc);
                {'DOWN', Ref, process, Pid, Other} -> exit({Other, asked(Shown, Pid, Reason, Timeout)})
            after Timeout ->
                gen:foresee_demonitor(Ref),
                exit(timeout)
            end
    end.

%% The stop of a behaviour looks a name up first, that of proc_lib does not.
asked({given, Process}, _, Reason, Timeout) -> {sys, terminate, [Process, Reason, Timeout]};
asked(resolved, Pid, Reason, Timeout) -> {sys, terminate, [Pid, Reason, Timeout]}.

ended(Pid, Ref, Reason, Timeout) ->
    receive
        {'DOWN', Ref, process, Pid, Reason} -> ok;
        {'DOWN', Ref, process, Pid, Other} -> exit(Other)
    after Timeout ->
        gen:foresee_demonitor(Ref),
        exit(timeout)
    end.
