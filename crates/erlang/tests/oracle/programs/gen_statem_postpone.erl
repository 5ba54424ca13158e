%% Postponed events come back after a change of state.
-module(gen_statem_postpone).
-export([main/0]).
-behaviour(gen_statem).
-export([init/1, callback_mode/0, closed/3, open/3]).

main() ->
    {ok, P} = gen_statem:start_link(?MODULE, self(), []),
    gen_statem:cast(P, {item, 1}), gen_statem:cast(P, {item, 2}), gen_statem:cast(P, open), gen_statem:cast(P, {item, 3}),
    p([receive {handled, N} -> N end || _ <- [1, 2, 3]]),
    gen_statem:stop(P).

callback_mode() -> state_functions.
init(T) -> {ok, closed, T}.
closed(cast, {item, _}, _) -> {keep_state_and_data, [postpone]};
closed(cast, open, T) -> {next_state, open, T}.
open(cast, {item, N}, T) -> T ! {handled, N}, keep_state_and_data.

p(X) -> io:format("~p~n", [X]).
