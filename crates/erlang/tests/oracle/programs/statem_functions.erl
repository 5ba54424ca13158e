-module(statem_functions).
-behaviour(gen_statem).
-export([main/0, init/1, callback_mode/0, locked/3, open/3, terminate/3]).

main() ->
    {ok, Pid} = gen_statem:start_link({local, door}, ?MODULE, [1, 2], []),
    io:format("~p~n", [gen_statem:call(door, state)]),
    gen_statem:cast(door, {button, 1}),
    io:format("~p~n", [gen_statem:call(Pid, state)]),
    gen_statem:cast(door, {button, 2}),
    io:format("~p~n", [gen_statem:call(Pid, state, 1000)]),
    gen_statem:cast(door, {button, 1}),
    timer:sleep(50),
    io:format("~p~n", [gen_statem:call(Pid, state)]),
    io:format("~p~n", [sys:get_state(Pid)]),
    door ! hello,
    io:format("~p~n", [gen_statem:call(Pid, state)]),
    io:format("~p~n", [gen_statem:stop(Pid)]).

init(Code) -> {ok, locked, {Code, Code}}.
callback_mode() -> state_functions.

locked(cast, {button, B}, {Code, [B]}) ->
    io:format("open~n"),
    {next_state, open, {Code, Code}, [{state_timeout, 20, lock}]};
locked(cast, {button, B}, {Code, [B | Rest]}) -> {next_state, locked, {Code, Rest}};
locked(cast, {button, _}, {Code, _}) -> {keep_state, {Code, Code}};
locked(info, Message, _) ->
    io:format("info ~p~n", [Message]),
    keep_state_and_data;
locked({call, From}, state, {_, Rest}) -> {keep_state_and_data, [{reply, From, {locked, Rest}}]}.

open(state_timeout, lock, Data) ->
    io:format("lock~n"),
    {next_state, locked, Data};
open(cast, {button, _}, _) -> {keep_state_and_data, postpone};
open({call, From}, state, _) -> {keep_state_and_data, {reply, From, open}}.

terminate(Reason, State, _) -> io:format("terminate ~p ~p~n", [Reason, State]).
