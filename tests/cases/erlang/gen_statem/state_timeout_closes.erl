%! run: state_timeout_closes:test/0
%! verdict: assertion
%% The door may close again before anybody looks.
-module(state_timeout_closes).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-behaviour(gen_statem).
-export([init/1, callback_mode/0, handle_event/4]).

test() ->
    {ok, D} = gen_statem:start(?MODULE, [], []),
    gen_statem:cast(D, open),
    S = gen_statem:call(D, state),
    gen_statem:stop(D),
    ?assertEqual(open, S).

init(_) -> {ok, closed, []}.
callback_mode() -> handle_event_function.
handle_event(cast, open, closed, _) -> {next_state, open, [], [{state_timeout, 100, close}]};
handle_event(state_timeout, close, open, _) -> {next_state, closed, []};
handle_event({call, From}, state, S, _) -> {keep_state_and_data, [{reply, From, S}]}.
