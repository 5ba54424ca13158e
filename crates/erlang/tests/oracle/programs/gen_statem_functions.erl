%% A code lock with state functions.
-module(gen_statem_functions).
-export([main/0]).
-behaviour(gen_statem).
-export([init/1, callback_mode/0, locked/3, open/3]).

main() ->
    {ok, P} = gen_statem:start_link(?MODULE, [1, 2, 3], []),
    [p(gen_statem:call(P, {button, B})) || B <- [1, 2, 9, 1, 2, 3]],
    p(gen_statem:call(P, state)),
    p(gen_statem:call(P, lock)),
    p(gen_statem:call(P, state)),
    gen_statem:stop(P).

callback_mode() -> state_functions.
init(Code) -> {ok, locked, #{code => Code, left => Code}}.

locked({call, From}, {button, B}, #{code := Code, left := Left} = D) ->
    case Left of
        [B] -> {next_state, open, D#{left := Code}, [{reply, From, opened}]};
        [B | Rest] -> {keep_state, D#{left := Rest}, [{reply, From, {left, length(Rest)}}]};
        _ -> {keep_state, D#{left := Code}, [{reply, From, wrong}]}
    end;
locked({call, From}, state, _) -> {keep_state_and_data, [{reply, From, locked}]}.

open({call, From}, lock, D) -> {next_state, locked, D, [{reply, From, locked}]};
open({call, From}, {button, _}, _) -> {keep_state_and_data, [{reply, From, already_open}]};
open({call, From}, state, _) -> {keep_state_and_data, [{reply, From, open}]}.

p(X) -> io:format("~p~n", [X]).
