%% A lock for a number of clients, which may die at any time.
%%
%% The state is the queue of those who hold or want the lock; its first one
%% holds it. After Benac Earle, Fredlund and Derrick, "Verifying
%% Fault-Tolerant Erlang Programs" (Erlang 2005).
%%
%% Three ways to take the death of a client:
%%   (as it stands)   who waits behind a dead holder gets the lock
%%   -D IGNORING      nothing is done about it
%%   -D WRONG         whoever is first then gets the lock, once more if it has it
-module(locker).
-behaviour(gen_server).

-export([start_link/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

start_link() ->
    gen_server:start_link({local, locker}, locker, [], []).

init(_) ->
    process_flag(trap_exit, true),
    {ok, []}.

handle_call(request, Client = {Pid, _}, Pending) ->
    link(Pid),
    case Pending of
        [] -> {reply, ok, [Client]};
        _ -> {noreply, Pending ++ [Client]}
    end;
handle_call(release, _, [_ | Pending]) ->
    case Pending of
        [] ->
            {reply, done, []};
        _ ->
            gen_server:reply(hd(Pending), ok),
            {reply, done, Pending}
    end.

handle_cast(stop, Pending) ->
    {stop, normal, Pending}.

-ifdef(IGNORING).

handle_info({'EXIT', _, _}, Pending) ->
    {noreply, Pending}.

-else.
-ifdef(WRONG).

handle_info({'EXIT', Pid, _}, Pending) ->
    NewPending = remove(Pid, Pending),
    case NewPending of
        [] ->
            {noreply, []};
        _ ->
            gen_server:reply(hd(NewPending), ok),
            {noreply, NewPending}
    end.

-else.

handle_info({'EXIT', Pid, _}, Pending) ->
    NewPending = remove(Pid, Pending),
    case available(Pid, Pending) of
        true ->
            gen_server:reply(hd(NewPending), ok),
            {noreply, NewPending};
        false ->
            {noreply, NewPending}
    end.

%% Somebody waits behind Pid, which holds the lock.
available(_, []) -> false;
available(_, [_]) -> false;
available(Pid, [{First, _} | _]) -> Pid == First.

-endif.

remove(_, []) ->
    [];
remove(Pid, [Client = {Other, _} | Rest]) ->
    case Pid == Other of
        true -> Rest;
        false -> [Client | remove(Pid, Rest)]
    end.

-endif.
