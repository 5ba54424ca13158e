%% Global names and locks on one node. Names are native; a lock is a name nobody else uses.
-module(global).
-export([send/2, trans/2, trans/3, trans/4, set_lock/1, set_lock/2, set_lock/3, del_lock/1, del_lock/2, sync/0,
         random_exit_name/3, random_notify_name/3, notify_all_name/3]).

send(Name, Message) ->
    case global:whereis_name(Name) of
        undefined -> exit({badarg, {Name, Message}});
        Pid ->
            Pid ! Message,
            Pid
    end.

trans(Id, Fun) -> trans(Id, Fun, [node()], infinity).
trans(Id, Fun, Nodes) -> trans(Id, Fun, Nodes, infinity).
trans(Id, Fun, Nodes, Retries) ->
    case set_lock(Id, Nodes, Retries) of
        true ->
            try Fun()
            after del_lock(Id, Nodes)
            end;
        false -> aborted
    end.

set_lock(Id) -> set_lock(Id, [node()], infinity).
set_lock(Id, Nodes) -> set_lock(Id, Nodes, infinity).
set_lock({Resource, Requester} = Id, Nodes, Retries) ->
    case persistent_term:get({'$global_lock', Resource}, free) of
        {Requester, Pid, N} when Pid =:= self() ->
            persistent_term:put({'$global_lock', Resource}, {Requester, Pid, N + 1}),
            true;
        {Requester, _, N} ->
            persistent_term:put({'$global_lock', Resource}, {Requester, self(), N + 1}),
            true;
        _ ->
            %% Registering is atomic: of several that try at once one gets the lock.
            case global:register_name({'$global_lock', Resource}, self()) of
                yes ->
                    persistent_term:put({'$global_lock', Resource}, {Requester, self(), 1}),
                    true;
                no when Retries =:= 0 -> false;
                no ->
                    timer:sleep(250),
                    set_lock(Id, Nodes, less(Retries))
            end
    end.

less(infinity) -> infinity;
less(N) -> N - 1.

del_lock(Id) -> del_lock(Id, [node()]).
del_lock({Resource, Requester}, _) ->
    case persistent_term:get({'$global_lock', Resource}, free) of
        {Requester, Pid, N} when N > 1 ->
            persistent_term:put({'$global_lock', Resource}, {Requester, Pid, N - 1}),
            true;
        {Requester, _, _} ->
            persistent_term:erase({'$global_lock', Resource}),
            global:unregister_name({'$global_lock', Resource}),
            true;
        _ -> true
    end.

sync() -> ok.

random_exit_name(_, Keep, Other) ->
    exit(Other, kill),
    Keep.
random_notify_name(Name, Keep, Other) ->
    Other ! {global_name_conflict, Name},
    Keep.
notify_all_name(Name, One, Other) ->
    One ! {global_name_conflict, Name, Other},
    Other ! {global_name_conflict, Name, One},
    none.
