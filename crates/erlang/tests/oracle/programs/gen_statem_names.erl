%% Named machine, info messages, reply/2 and stop.
-module(gen_statem_names).
-export([main/0]).
-behaviour(gen_statem).
-export([init/1, callback_mode/0, handle_event/4]).

main() ->
    {ok, _} = gen_statem:start_link({local, machine}, ?MODULE, 0, []),
    machine ! tick, machine ! tick,
    p(gen_statem:call(machine, count)), p(gen_statem:call(machine, later, 1000)),
    p(gen_statem:stop(machine)),
    p(try gen_statem:call(machine, count) catch exit:{R, _} -> R end).

callback_mode() -> handle_event_function.
init(N) -> {ok, on, N}.
handle_event(info, tick, on, N) -> {keep_state, N + 1};
handle_event({call, From}, count, on, N) -> {keep_state_and_data, [{reply, From, N}]};
handle_event({call, From}, later, on, N) -> {next_state, replying, N, [{next_event, internal, {answer, From}}]};
handle_event(internal, {answer, From}, replying, N) -> gen_statem:reply(From, {later, N}), {next_state, on, N}.

p(X) -> io:format("~p~n", [X]).
