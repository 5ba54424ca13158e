%% What sys:get_status tells of behaviours, with and without functions that say how a state is shown.
-module(statuses).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, format_status/2]).

init(State) -> {ok, State}.
handle_call(_, _, State) -> {reply, ok, State}.
handle_cast(_, State) -> {noreply, State}.
format_status(normal, [_, {secret, _}]) -> [{data, [{"State", hidden}]}];
format_status(normal, [_, State]) -> {data, [{"State", State}]}.

main() ->
    {ok, Named} = gen_server:start({local, named}, ?MODULE, {secret, 1}, []),
    {ok, Plain} = gen_server:start({local, plain}, ?MODULE, open, []),
    [show(sys:get_status(Pid)) || Pid <- [Named, Plain]],
    [gen_server:stop(Pid) || Pid <- [Named, Plain]].

show({status, Pid, {module, Behaviour}, [_, How, Parent, Debug, [{header, Header}, {data, Data} | Rest]]}) ->
    io:format("~p ~p ~p ~p ~s~n", [Behaviour, How, Parent =:= Pid, Debug, Header]),
    io:format("~p ~p~n", [proplists:get_value("Status", Data), Rest]).
