%! run: internal_event_first:test/0
%! verdict: holds
%% An event the machine inserts itself comes before what waits in the mailbox.
-module(internal_event_first).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-behaviour(gen_statem).
-export([init/1, callback_mode/0, handle_event/4]).

test() ->
    {ok, D} = gen_statem:start(?MODULE, [], []),
    gen_statem:cast(D, start),
    ?assertEqual(warm, gen_statem:call(D, state)),
    gen_statem:stop(D).

init(_) -> {ok, cold, []}.
callback_mode() -> handle_event_function.
handle_event(cast, start, cold, _) -> {next_state, starting, [], [{next_event, internal, heat}]};
handle_event(internal, heat, starting, _) -> {next_state, warm, []};
handle_event({call, From}, state, S, _) -> {keep_state_and_data, [{reply, From, S}]}.
