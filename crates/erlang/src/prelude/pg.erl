%% Process groups on one node: a scope is a server that watches the members and keeps a table of its name, which everybody reads.
%% Members on other nodes, and what is sent between scopes of several nodes, are not here: there is one node.
-module(pg).
-behaviour(gen_server).
-export([start/1, start_link/0, start_link/1, join/2, join/3, leave/2, leave/3, monitor_scope/0, monitor_scope/1, monitor/1,
         monitor/2, demonitor/1, demonitor/2, get_members/1, get_members/2, get_local_members/1, get_local_members/2,
         which_groups/0, which_groups/1, which_local_groups/0, which_local_groups/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

-define(SCOPE, pg).

start_link() -> start_link(?SCOPE).
start_link(Scope) when is_atom(Scope) -> gen_server:start_link({local, Scope}, ?MODULE, [Scope], []).
start(Scope) when is_atom(Scope) -> gen_server:start({local, Scope}, ?MODULE, [Scope], []).

join(Group, Who) -> join(?SCOPE, Group, Who).
join(Scope, Group, Who) when is_pid(Who); is_list(Who) ->
    ok = all_here(Who),
    gen_server:call(Scope, {join, Group, Who}, infinity).

leave(Group, Who) -> leave(?SCOPE, Group, Who).
leave(Scope, Group, Who) when is_pid(Who); is_list(Who) ->
    ok = all_here(Who),
    gen_server:call(Scope, {leave, Group, Who}, infinity).

monitor_scope() -> monitor_scope(?SCOPE).
monitor_scope(Scope) -> gen_server:call(Scope, monitor_scope, infinity).

monitor(Group) -> pg:monitor(?SCOPE, Group).
monitor(Scope, Group) -> gen_server:call(Scope, {monitor, Group}, infinity).

demonitor(Ref) -> pg:demonitor(?SCOPE, Ref).
demonitor(Scope, Ref) when is_reference(Ref) ->
    case gen_server:call(Scope, {demonitor, Ref}, infinity) of
        ok ->
            receive {Ref, _, _, _} -> ok after 0 -> ok end,
            ok;
        Other -> Other
    end.

get_members(Group) -> get_members(?SCOPE, Group).
get_members(Scope, Group) ->
    try ets:lookup_element(Scope, Group, 2) catch error:badarg -> [] end.

get_local_members(Group) -> get_local_members(?SCOPE, Group).
get_local_members(Scope, Group) ->
    try ets:lookup_element(Scope, Group, 3) catch error:badarg -> [] end.

which_groups() -> which_groups(?SCOPE).
which_groups(Scope) when is_atom(Scope) -> [Group || [Group] <- ets:match(Scope, {'$1', '_', '_'})].

which_local_groups() -> which_local_groups(?SCOPE).
which_local_groups(Scope) when is_atom(Scope) -> ets:select(Scope, [{{'$1', '_', '$2'}, [{'=/=', '$2', []}], ['$1']}]).

all_here(Who) ->
    case [One || One <- listed(Who), not (is_pid(One) andalso node(One) =:= node())] of
        [] -> ok;
        [One | _] -> error({nolocal, One})
    end.

%%% The server: its state is the scope's name, the members with their monitors and groups (one entry for each time they have
%%% joined), and who watches the whole scope or a group.

init([Scope]) ->
    Scope = ets:new(Scope, [set, protected, named_table, {read_concurrency, true}]),
    {ok, {Scope, #{}, #{}}}.

handle_call({join, Group, Who}, _From, {Scope, Members, Watchers}) ->
    Pids = listed(Who),
    Joined = lists:foldl(fun(Pid, Known) -> add_group(Pid, Group, Known) end, Members, Pids),
    %% Nobody who joins makes the group known all the same.
    All = Pids ++ get_members(Scope, Group),
    ets:insert(Scope, {Group, All, All}),
    tell(join, Group, Pids, Watchers),
    {reply, ok, {Scope, Joined, Watchers}};
handle_call({leave, Group, Who}, _From, {Scope, Members, Watchers}) ->
    Pids = listed(Who),
    {Left, Gone} = lists:foldl(fun(Pid, Known) -> leave_group(Pid, Group, Known) end, {Members, []}, Pids),
    case Gone of
        [] -> {reply, not_joined, {Scope, Left, Watchers}};
        [_ | _] ->
            store(Scope, Group, get_members(Scope, Group) -- Gone),
            tell(leave, Group, lists:reverse(Gone), Watchers),
            {reply, ok, {Scope, Left, Watchers}}
    end;
handle_call(monitor_scope, {Pid, _}, {Scope, Members, Watchers}) ->
    Ref = erlang:monitor(process, Pid, [{tag, watcher_gone}]),
    All = maps:from_list([{Group, Pids} || {Group, Pids, _} <- ets:tab2list(Scope)]),
    {reply, {Ref, All}, {Scope, Members, Watchers#{Ref => {Pid, all}}}};
handle_call({monitor, Group}, {Pid, _}, {Scope, Members, Watchers}) ->
    Ref = erlang:monitor(process, Pid, [{tag, watcher_gone}]),
    {reply, {Ref, get_members(Scope, Group)}, {Scope, Members, Watchers#{Ref => {Pid, {group, Group}}}}};
handle_call({demonitor, Ref}, _From, {Scope, Members, Watchers}) ->
    case maps:is_key(Ref, Watchers) of
        true ->
            erlang:demonitor(Ref, [flush]),
            {reply, ok, {Scope, Members, maps:remove(Ref, Watchers)}};
        false -> {reply, false, {Scope, Members, Watchers}}
    end;
handle_call(_Request, _From, _State) -> error(badarg).

handle_cast(_Message, _State) -> error(badarg).

handle_info({'DOWN', _Ref, process, Pid, _Reason}, {Scope, Members, Watchers} = State) ->
    case maps:take(Pid, Members) of
        {{_, Groups}, Rest} ->
            [begin
                 store(Scope, Group, lists:delete(Pid, get_members(Scope, Group))),
                 tell(leave, Group, [Pid], Watchers)
             end || Group <- Groups],
            {noreply, {Scope, Rest, Watchers}};
        error -> {noreply, State}
    end;
handle_info({watcher_gone, Ref, process, _, _}, {Scope, Members, Watchers}) ->
    {noreply, {Scope, Members, maps:remove(Ref, Watchers)}};
handle_info(_Message, State) -> {noreply, State}.

terminate(_Reason, {Scope, _, _}) -> true = ets:delete(Scope).

listed(Who) when is_pid(Who) -> [Who];
listed(Who) -> Who.

add_group(Pid, Group, Members) ->
    case Members of
        #{Pid := {Ref, Groups}} -> Members#{Pid := {Ref, [Group | Groups]}};
        #{} -> Members#{Pid => {erlang:monitor(process, Pid), [Group]}}
    end.

leave_group(Pid, Group, {Members, Gone}) ->
    case Members of
        #{Pid := {Ref, Groups}} ->
            case {lists:member(Group, Groups), lists:delete(Group, Groups)} of
                {false, _} -> {Members, Gone};
                {true, []} ->
                    erlang:demonitor(Ref, [flush]),
                    {maps:remove(Pid, Members), [Pid | Gone]};
                {true, Rest} -> {Members#{Pid := {Ref, Rest}}, [Pid | Gone]}
            end;
        #{} -> {Members, Gone}
    end.

store(Scope, Group, []) -> ets:delete(Scope, Group);
store(Scope, Group, Pids) -> ets:insert(Scope, {Group, Pids, Pids}).

tell(_What, _Group, [], _Watchers) -> ok;
tell(What, Group, Pids, Watchers) ->
    maps:foreach(fun(Ref, {Pid, all}) -> Pid ! {Ref, What, Group, Pids};
                    (Ref, {Pid, {group, Own}}) when Own =:= Group -> Pid ! {Ref, What, Group, Pids};
                    (_, _) -> ok
                 end, Watchers).
