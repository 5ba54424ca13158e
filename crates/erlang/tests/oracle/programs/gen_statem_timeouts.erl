%% State, event and generic timeouts.
-module(gen_statem_timeouts).
-export([main/0]).
-behaviour(gen_statem).
-export([init/1, callback_mode/0, handle_event/4]).

main() ->
    {ok, P} = gen_statem:start_link(?MODULE, self(), []),
    receive A -> p(A) end,
    gen_statem:cast(P, start_generic),
    receive B -> p(B) end,
    gen_statem:cast(P, start_event),
    receive C -> p(C) end,
    gen_statem:cast(P, start_and_cancel),
    receive D -> p(D) after 30 -> p(cancelled) end,
    gen_statem:stop(P).

callback_mode() -> handle_event_function.
init(T) -> {ok, first, T, [{state_timeout, 5, expired}]}.

handle_event(state_timeout, X, first, T) -> T ! {state_timeout, X}, {next_state, second, T};
handle_event(cast, start_generic, _, _) -> {keep_state_and_data, [{{timeout, mine}, 5, content}]};
handle_event({timeout, Name}, X, _, T) -> T ! {generic, Name, X}, keep_state_and_data;
handle_event(cast, start_event, _, _) -> {keep_state_and_data, 5};
handle_event(timeout, X, _, T) -> T ! {event_timeout, X}, keep_state_and_data;
handle_event(cast, start_and_cancel, _, T) -> {next_state, third, T, [{state_timeout, 10, never}, {next_event, internal, cancel}]};
handle_event(internal, cancel, third, _) -> {keep_state_and_data, [{state_timeout, cancel}]}.

p(X) -> io:format("~p~n", [X]).
