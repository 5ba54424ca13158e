%! run: unexpected_event:test/0
%! verdict: abnormal_exit
%% No clause for coin in the open state: two coins in a row break the turnstile.
-module(unexpected_event).
-export([test/0]).
-behaviour(gen_statem).
-export([init/1, callback_mode/0, handle_event/4]).

test() ->
    {ok, D} = gen_statem:start(?MODULE, [], []),
    [spawn(fun() -> gen_statem:cast(D, coin), gen_statem:cast(D, push) end) || _ <- [1, 2]].

init(_) -> {ok, locked, 0}.
callback_mode() -> handle_event_function.
handle_event(cast, coin, locked, N) -> {next_state, open, N};
handle_event(cast, push, open, 1) -> {stop, normal};
handle_event(cast, push, open, N) -> {next_state, locked, N + 1}.
