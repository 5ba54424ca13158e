-module(server_via).
-export([main/0, init/1, handle_call/3, handle_cast/2, register_name/2, unregister_name/1, whereis_name/1, send/2]).

%% A registry of our own: a public table.
main() ->
    ets:new(names, [named_table, public]),
    Name = {via, ?MODULE, {any, term}},
    io:format("~p~n", [catch gen_server:call(Name, hello)]),
    {ok, P} = gen_server:start(Name, ?MODULE, [], []),
    io:format("~p~n", [gen_server:call(Name, hello)]),
    io:format("~p~n", [gen_server:cast(Name, nothing)]),
    {error, {already_started, P}} = gen_server:start(Name, ?MODULE, [], []),
    io:format("~p~n", [gen_server:stop(Name)]),
    unregister_name({any, term}),
    {ok, _} = gen_server:start(Name, ?MODULE, [], []),
    io:format("~p~n", [gen_server:call(Name, hello)]).

register_name(Name, Pid) ->
    case ets:insert_new(names, {Name, Pid}) of
        true -> yes;
        false -> no
    end.
unregister_name(Name) -> ets:delete(names, Name).
whereis_name(Name) ->
    case ets:lookup(names, Name) of
        [{_, Pid}] -> Pid;
        [] -> undefined
    end.
send(Name, Message) -> whereis_name(Name) ! Message.

init([]) -> {ok, []}.
handle_call(hello, _, S) -> {reply, hello, S}.
handle_cast(nothing, S) -> {noreply, S}.
