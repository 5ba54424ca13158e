%% Names known on all nodes: there is one node, so a table of names in one place. Locks are granted at once to the one
%% who asks, and asked for again by others until they are free.
-module(global).

-export([register_name/2, register_name/3, re_register_name/2, re_register_name/3,
         unregister_name/1, whereis_name/1, registered_names/0, send/2, set_lock/1, set_lock/2,
         set_lock/3, del_lock/1, del_lock/2, trans/2, trans/3, trans/4, sync/0]).

-spec register_name(term(), pid()) -> yes | no.
register_name(Name, Pid) -> register_name(Name, Pid, fun random_exit_name/3).

register_name(Name, Pid, _) when is_pid(Pid) ->
    case whereis_name(Name) of
        undefined ->
            erlang:register(key(Name), Pid),
            yes;
        _ -> no
    end.

re_register_name(Name, Pid) -> re_register_name(Name, Pid, fun random_exit_name/3).

re_register_name(Name, Pid, _) when is_pid(Pid) ->
    unregister_name(Name),
    erlang:register(key(Name), Pid),
    yes.

random_exit_name(_, Pid, _) -> Pid.

unregister_name(Name) ->
    case whereis_name(Name) of
        undefined -> ok;
        _ ->
            erlang:unregister(key(Name)),
            ok
    end.

whereis_name(Name) -> erlang:whereis(key(Name)).

registered_names() ->
    [element(2, binary_to_name(Text))
     || Key <- erlang:registered(), Text <- [atom_to_list(Key)], binary_to_name(Text) =/= none].

send(Name, Message) ->
    case whereis_name(Name) of
        Pid when is_pid(Pid) ->
            Pid ! Message,
            Pid;
        undefined -> exit({badarg, {Name, Message}})
    end.

%% Names of a process are atoms, so a global one is an atom that no program writes.
key(Name) -> list_to_atom("$global " ++ lists:flatten(io_lib:format("~0tp", [Name]))).

binary_to_name("$global " ++ Text) -> {name, list_to_atom(Text)};
binary_to_name(_) -> none.

set_lock(Id) -> set_lock(Id, [node()]).
set_lock(Id, Nodes) -> set_lock(Id, Nodes, infinity).

set_lock({Resource, Requester}, Nodes, Retries) ->
    Key = {'$global lock', Resource},
    case erlang:get(Key) of
        Requester -> true;
        _ ->
            case take(Key) of
                true ->
                    put(Key, Requester),
                    true;
                false when Retries =:= 0 -> false;
                false ->
                    timer:sleep(10),
                    set_lock({Resource, Requester}, Nodes, less(Retries))
            end
    end.

less(infinity) -> infinity;
less(Retries) -> Retries - 1.

%% A process may have one registered name only, so a lock is held by a process of its own.
take(Key) ->
    Self = self(),
    Name = key(Key),
    Holder = spawn(fun() -> hold(Self) end),
    try erlang:register(Name, Holder) of
        true ->
            Holder ! held,
            true
    catch
        error:badarg ->
            Holder ! free,
            false
    end.

hold(Owner) ->
    receive
        held ->
            Monitor = monitor(process, Owner),
            receive
                {'DOWN', Monitor, process, _, _} -> ok;
                free -> ok
            end;
        free -> ok
    end.

del_lock(Id) -> del_lock(Id, [node()]).

del_lock({Resource, Requester}, _) ->
    Key = {'$global lock', Resource},
    case erlang:get(Key) of
        Requester ->
            erase(Key),
            Name = key(Key),
            Holder = whereis(Name),
            erlang:unregister(Name),
            Holder ! free,
            true;
        _ -> true
    end.

trans(Id, F) -> trans(Id, F, [node()]).
trans(Id, F, Nodes) -> trans(Id, F, Nodes, infinity).

trans(Id, F, Nodes, Retries) ->
    case set_lock(Id, Nodes, Retries) of
        true ->
            try F() after del_lock(Id, Nodes) end;
        false -> aborted
    end.

sync() -> ok.
