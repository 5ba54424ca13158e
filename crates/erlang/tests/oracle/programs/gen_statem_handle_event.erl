%% One handler for all states, with state enter calls.
-module(gen_statem_handle_event).
-export([main/0]).
-behaviour(gen_statem).
-export([init/1, callback_mode/0, handle_event/4]).

main() ->
    {ok, P} = gen_statem:start_link(?MODULE, self(), []),
    [gen_statem:cast(P, next) || _ <- lists:seq(1, 4)],
    p(gen_statem:call(P, where)),
    gen_statem:stop(P),
    p(all()).

all() -> receive {entered, S, From} -> [{S, From} | all()] after 0 -> [] end.

callback_mode() -> [handle_event_function, state_enter].
init(Test) -> {ok, red, Test}.

handle_event(enter, Old, State, Test) -> Test ! {entered, State, Old}, keep_state_and_data;
handle_event(cast, next, State, Test) -> {next_state, next(State), Test};
handle_event({call, From}, where, State, _) -> {keep_state_and_data, {reply, From, State}}.

next(red) -> green;
next(green) -> yellow;
next(yellow) -> red.

p(X) -> io:format("~p~n", [X]).
