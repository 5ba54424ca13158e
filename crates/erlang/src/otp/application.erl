%% Applications, as far as a supervision tree goes. What a project's application files (.app.src) say comes
%% from a module that is made of them; others are loaded with application:load({application, Name,
%% Properties}) first. Configuration is kept as persistent terms.
%% kernel and stdlib run. Other applications of Erlang itself can be started, which starts no process but the alarm handler of
%% sasl; who needs them need not start them, as under rebar3, which has started most of them.
-module(application).
-export([load/1, unload/1, start/1, start/2, stop/1, ensure_started/1, ensure_started/2,
         ensure_all_started/1, ensure_all_started/2, get_env/1, get_env/2, get_env/3, set_env/3, set_env/4,
         set_env/1, set_env/2, unset_env/2, unset_env/3, get_all_env/0, get_all_env/1, get_key/1, get_key/2,
         get_all_key/0, get_all_key/1, get_application/0, get_application/1, which_applications/0,
         which_applications/1, loaded_applications/0, load/2, permit/2, foresee_master/3]).

load({application, Name, Properties}) ->
    case persistent_term:get({application, Name}, none) of
        none ->
            persistent_term:put({application, Name}, Properties),
            [set_env(Name, Key, Value) || {Key, Value} <- property(env, Properties, [])],
            remember(loaded, Name);
        _ -> {error, {already_loaded, {application, Name, Properties}}}
    end;
load(Name) ->
    case persistent_term:get({application, Name}, none) of
        none ->
            case specification(Name) of
                none -> {error, {"no such file or directory", atom_to_list(Name) ++ ".app"}};
                Specification -> load(Specification)
            end;
        _ -> {error, {already_loaded, Name}}
    end.

specification(Name) ->
    Known = try foresee_applications:specification(Name)
            catch error:undef -> none
            end,
    case {Known, own(Name)} of
        {none, true} -> {application, Name, [{description, ""}, {vsn, "1"}, {applications, [kernel, stdlib]}]};
        _ -> Known
    end.

load(Application, _) -> load(Application).

permit(Name, _) ->
    case persistent_term:get({application, Name}, none) of
        none -> {error, {not_loaded, Name}};
        _ -> ok
    end.

unload(Name) ->
    case persistent_term:erase({application, Name}) of
        true ->
            [unset_env(Name, Key) || {Key, _} <- get_all_env(Name)],
            forget(loaded, Name);
        false -> {error, {not_loaded, Name}}
    end.

property(Key, Properties, Default) -> gen:option(Key, Properties, Default).

remember(Which, Name) ->
    persistent_term:put({applications, Which}, [Name | known(Which)]),
    ok.
forget(Which, Name) ->
    persistent_term:put({applications, Which}, lists:delete(Name, known(Which))),
    ok.
known(Which) -> persistent_term:get({applications, Which}, []).

runs(Name) -> lists:member(Name, [kernel, stdlib]).
own(Name) ->
    lists:member(Name, [kernel, stdlib, sasl, compiler, crypto, asn1, public_key, ssl, inets, syntax_tools, tools,
                        runtime_tools, parsetools, xmerl, os_mon, mnesia, eunit, common_test, observer, wx, et,
                        debugger, dialyzer, edoc, erl_interface, ftp, tftp, ssh, snmp, reltool, megaco, diameter]).

start(Name) -> start(Name, temporary).
start(Name, Type) ->
    Running = known(started),
    case persistent_term:get({application, Name}, none) of
        none ->
            case runs(Name) of
                true -> {error, {already_started, Name}};
                false ->
                    case load(Name) of
                        ok -> start(Name, Type);
                        Error -> Error
                    end
            end;
        Properties ->
            Needs = [N || N <- property(applications, Properties, []), not own(N), not lists:member(N, Running)],
            case {lists:member(Name, Running), Needs} of
                {true, _} -> {error, {already_started, Name}};
                {_, [Need | _]} -> {error, {not_started, Need}};
                {false, []} -> begin_it(Name, Type, property(mod, Properties, none))
            end
    end.

begin_it(sasl, _, none) ->
    alarm_handler = alarm_handler:foresee_start(),
    remember(started, sasl);
begin_it(Name, _, none) -> remember(started, Name);
begin_it(Name, Type, {Module, Args}) ->
    case proc_lib:start(application, foresee_master, [{Name, Type}, Module, Args]) of
        {ok, _} -> remember(started, Name);
        {error, Reason} -> {error, {Reason, {Module, start, [normal, Args]}}}
    end.

%% The process above the top supervisor.
foresee_master({Name, Type}, Module, Args) ->
    process_flag(trap_exit, true),
    %% Who is started may ask for its application already.
    persistent_term:put({application_master, Name}, self()),
    case catch Module:start(normal, Args) of
        {ok, Top} when is_pid(Top) -> proc_lib:init_ack({ok, self()}), watch(Name, Type, Module, Top, []);
        {ok, Top, State} when is_pid(Top) -> proc_lib:init_ack({ok, self()}), watch(Name, Type, Module, Top, State);
        {error, Reason} -> not_started(Name, Reason);
        {'EXIT', Reason} -> not_started(Name, {bad_return, {{Module, start, [normal, Args]}, {'EXIT', Reason}}});
        Other -> not_started(Name, {bad_return, {{Module, start, [normal, Args]}, Other}})
    end.

not_started(Name, Reason) ->
    persistent_term:erase({application_master, Name}),
    proc_lib:init_ack({error, Reason}).

watch(Name, Type, Module, Top, State) ->
    receive
        {stop, From, Ref} ->
            case gen:foresee_shut_down(Top, shutdown) of
                {gone, _} -> ok;
                Down -> receive {'DOWN', Down, process, Top, _} -> ok end
            end,
            stopped(Module, State),
            From ! {Ref, ok};
        {'EXIT', Top, Reason} ->
            stopped(Module, State),
            forget(started, Name),
            case Type of
                permanent -> halt(1);
                transient when Reason =/= normal -> halt(1);
                _ -> ok
            end
    end.

stopped(Module, State) ->
    case erlang:function_exported(Module, stop, 1) of
        true -> catch Module:stop(State);
        false -> ok
    end.

stop(Name) ->
    case lists:member(Name, known(started)) of
        false -> {error, {not_started, Name}};
        true ->
            case persistent_term:get({application_master, Name}, none) of
                none -> ok;
                Master ->
                    Ref = monitor(process, Master),
                    Master ! {stop, self(), Ref},
                    receive
                        {Ref, ok} -> demonitor(Ref, [flush]);
                        {'DOWN', Ref, process, _, _} -> ok
                    end,
                    persistent_term:erase({application_master, Name})
            end,
            case Name of
                sasl -> alarm_handler:foresee_stop();
                _ -> ok
            end,
            forget(started, Name)
    end.

ensure_started(Name) -> ensure_started(Name, temporary).
ensure_started(Name, Type) ->
    case start(Name, Type) of
        {error, {already_started, Name}} -> ok;
        Other -> Other
    end.

ensure_all_started(Name) -> ensure_all_started(Name, temporary).
ensure_all_started(Name, Type) -> ensure_all(Name, Type, []).

ensure_all(Name, Type, Started) ->
    case start(Name, Type) of
        ok -> {ok, lists:reverse([Name | Started])};
        {error, {already_started, Name}} -> {ok, lists:reverse(Started)};
        {error, {not_started, Need}} ->
            case ensure_all(Need, Type, Started) of
                {ok, Now} -> ensure_all(Name, Type, lists:reverse(Now));
                Error -> Error
            end;
        {error, Reason} -> {error, {Name, Reason}}
    end.

get_env(Key) ->
    case get_application() of
        {ok, Name} -> get_env(Name, Key);
        undefined -> undefined
    end.
get_env(Name, Key) ->
    case persistent_term:get({application_env, Name, Key}, '$none') of
        '$none' -> undefined;
        Value -> {ok, Value}
    end.
get_env(Name, Key, Default) -> persistent_term:get({application_env, Name, Key}, Default).
set_env(Name, Key, Value) -> persistent_term:put({application_env, Name, Key}, Value).
set_env(Name, Key, Value, _) -> set_env(Name, Key, Value).
set_env(Config) -> set_env(Config, []).
set_env(Config, _) ->
    [set_env(Name, Key, Value) || {Name, Env} <- Config, {Key, Value} <- Env],
    ok.
unset_env(Name, Key, _) -> unset_env(Name, Key).
get_all_env() -> [].
get_all_env(Name) -> [{Key, Value} || {{application_env, Of, Key}, Value} <- persistent_term:get(), Of =:= Name].
unset_env(Name, Key) ->
    persistent_term:erase({application_env, Name, Key}),
    ok.

get_key(Name, Key) ->
    case persistent_term:get({application, Name}, none) of
        none -> undefined;
        Properties ->
            case property(Key, Properties, '$none') of
                '$none' -> undefined;
                Value -> {ok, Value}
            end
    end.

get_key(_) -> undefined.
get_all_key() -> [].
get_all_key(Name) ->
    case persistent_term:get({application, Name}, none) of
        none -> undefined;
        Properties -> {ok, Properties}
    end.

%% A process belongs to the application whose master is among its ancestors; which a module belongs to is said by
%% the application.
get_application() ->
    Ancestors = [self() | gen:option('$ancestors', get(), [])],
    Of = [Name || Name <- known(loaded),
                  lists:member(persistent_term:get({application_master, Name}, none), Ancestors)],
    case Of of
        [Name | _] -> {ok, Name};
        [] -> undefined
    end.
get_application(Module) when is_atom(Module) ->
    Of = [Name || Name <- known(loaded),
                  lists:member(Module, property(modules, persistent_term:get({application, Name}, []), []))],
    case Of of
        [Name | _] -> {ok, Name};
        [] -> undefined
    end;
get_application(_) -> undefined.

which_applications(_) -> which_applications().

which_applications() -> [described(Name) || Name <- known(started)].
loaded_applications() -> [described(Name) || Name <- known(loaded)].
described(Name) ->
    Properties = persistent_term:get({application, Name}, []),
    {Name, property(description, Properties, ""), property(vsn, Properties, "")}.
