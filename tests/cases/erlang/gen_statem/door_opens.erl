%! run: door_opens:test/0
%! verdict: holds
%% A door with a code: the right button opens it.
-module(door_opens).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-behaviour(gen_statem).
-export([init/1, callback_mode/0, locked/3, open/3]).

test() ->
    {ok, D} = gen_statem:start(?MODULE, 7, []),
    gen_statem:cast(D, {button, 1}),
    gen_statem:cast(D, {button, 7}),
    ?assertEqual(open, gen_statem:call(D, state)),
    gen_statem:stop(D).

init(Code) -> {ok, locked, Code}.
callback_mode() -> state_functions.
locked(cast, {button, Code}, Code) -> {next_state, open, Code};
locked(cast, {button, _}, _) -> keep_state_and_data;
locked({call, From}, state, _) -> {keep_state_and_data, [{reply, From, locked}]}.
open(cast, {button, _}, _) -> keep_state_and_data;
open({call, From}, state, _) -> {keep_state_and_data, [{reply, From, open}]}.
