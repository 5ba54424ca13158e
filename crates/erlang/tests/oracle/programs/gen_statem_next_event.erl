%% Inserted events come before those in the mailbox; stop with replies.
-module(gen_statem_next_event).
-export([main/0]).
-behaviour(gen_statem).
-export([init/1, callback_mode/0, handle_event/4, terminate/3]).

main() ->
    {ok, P} = gen_statem:start(?MODULE, self(), []),
    M = monitor(process, P),
    gen_statem:cast(P, begin_work),
    p(gen_statem:call(P, finish)),
    receive {'DOWN', M, _, _, R} -> p(R) end,
    p(all()).

all() -> receive {ev, X} -> [X | all()] after 0 -> [] end.

callback_mode() -> handle_event_function.
init(T) -> {ok, idle, T}.
handle_event(cast, begin_work, idle, T) ->
    T ! {ev, begin_work},
    {next_state, busy, T, [{next_event, internal, a}, {next_event, cast, b}]};
handle_event(internal, a, busy, T) -> T ! {ev, a}, keep_state_and_data;
handle_event(cast, b, busy, T) -> T ! {ev, b}, keep_state_and_data;
handle_event({call, From}, finish, S, T) -> {stop_and_reply, done, [{reply, From, {was, S}}], T}.
terminate(R, S, T) -> T ! {ev, {terminate, R, S}}.

p(X) -> io:format("~p~n", [X]).
