%! run: dropped_when_closed:test/0
%! verdict: deadlock
%% A visitor who comes early is ignored and waits for ever.
-module(dropped_when_closed).
-export([test/0]).
-behaviour(gen_statem).
-export([init/1, callback_mode/0, handle_event/4]).

test() ->
    {ok, D} = gen_statem:start(?MODULE, [], []),
    spawn(fun() -> gen_statem:cast(D, open) end),
    welcome = gen_statem:call(D, enter),
    gen_statem:stop(D).

init(_) -> {ok, closed, []}.
callback_mode() -> handle_event_function.
handle_event(cast, open, closed, _) -> {next_state, open, []};
handle_event({call, _}, enter, closed, _) -> keep_state_and_data;
handle_event({call, From}, enter, open, _) -> {keep_state_and_data, [{reply, From, welcome}]}.
