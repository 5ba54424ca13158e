%! run: enter_call_counts:test/0
%! verdict: holds
%% Enter calls run at the start and at every change of state, and not when the state stays.
-module(enter_call_counts).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-behaviour(gen_statem).
-export([init/1, callback_mode/0, handle_event/4]).

test() ->
    {ok, D} = gen_statem:start(?MODULE, [], []),
    gen_statem:cast(D, {go, b}),
    gen_statem:cast(D, {go, b}),
    ?assertEqual(2, gen_statem:call(D, count)),
    gen_statem:stop(D).

init(_) -> {ok, a, 0}.
callback_mode() -> [handle_event_function, state_enter].
handle_event(enter, _, _, N) -> {keep_state, N + 1};
handle_event(cast, {go, S}, _, N) -> {next_state, S, N};
handle_event({call, From}, count, _, N) -> {keep_state_and_data, [{reply, From, N}]}.
