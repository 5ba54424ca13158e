%! run: turnstile_with_patience:test/0
%! verdict: holds
%% The turnstile postpones what does not fit, so two visitors in any order get through.
-module(turnstile_with_patience).
-export([test/0]).
-behaviour(gen_statem).
-export([init/1, callback_mode/0, handle_event/4]).

test() ->
    {ok, D} = gen_statem:start(?MODULE, [], []),
    [spawn(fun() -> gen_statem:cast(D, coin), gen_statem:cast(D, push) end) || _ <- [1, 2]].

init(_) -> {ok, locked, 0}.
callback_mode() -> handle_event_function.
handle_event(cast, coin, locked, N) -> {next_state, open, N};
handle_event(cast, coin, open, _) -> {keep_state_and_data, [postpone]};
handle_event(cast, push, open, 1) -> {stop, normal};
handle_event(cast, push, open, N) -> {next_state, locked, N + 1}.
