%! run: door_of_two:test/0
%! verdict: assertion
%% Another person's button may be pressed too late.
-module(door_of_two).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-behaviour(gen_statem).
-export([init/1, callback_mode/0, locked/3, open/3]).

test() ->
    {ok, D} = gen_statem:start(?MODULE, 7, []),
    spawn(fun() -> gen_statem:cast(D, {button, 7}) end),
    S = gen_statem:call(D, state),
    gen_statem:stop(D),
    ?assertEqual(open, S).

init(Code) -> {ok, locked, Code}.
callback_mode() -> state_functions.
locked(cast, {button, Code}, Code) -> {next_state, open, Code};
locked({call, From}, state, _) -> {keep_state_and_data, [{reply, From, locked}]}.
open(cast, {button, _}, _) -> keep_state_and_data;
open({call, From}, state, _) -> {keep_state_and_data, [{reply, From, open}]}.
