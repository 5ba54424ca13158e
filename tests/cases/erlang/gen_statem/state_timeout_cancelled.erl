%! run: state_timeout_cancelled:test/0
%! verdict: holds
%% Leaving the state cancels its timeout: it never comes in the next state.
-module(state_timeout_cancelled).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-behaviour(gen_statem).
-export([init/1, callback_mode/0, handle_event/4]).

test() ->
    {ok, D} = gen_statem:start(?MODULE, [], []),
    gen_statem:cast(D, finish),
    S = gen_statem:call(D, state),
    gen_statem:stop(D),
    ?assert(lists:member(S, [done, late])).

init(_) -> {ok, waiting, [], [{state_timeout, 100, too_late}]}.
callback_mode() -> handle_event_function.
handle_event(cast, finish, waiting, _) -> {next_state, done, []};
handle_event(cast, finish, late, _) -> keep_state_and_data;
handle_event(state_timeout, too_late, waiting, _) -> {next_state, late, []};
handle_event({call, From}, state, S, _) -> {keep_state_and_data, [{reply, From, S}]}.
