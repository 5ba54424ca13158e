%% Handlers that fail are removed, those that ask to be removed go, swapped ones pass on their state.
-module(gen_event_failures).
-export([main/0]).
-behaviour(gen_event).
-export([init/1, handle_event/2, handle_call/2, terminate/2]).

main() ->
    {ok, P} = gen_event:start({local, events}),
    gen_event:add_handler(events, ?MODULE, 1),
    p(gen_event:which_handlers(events)),
    gen_event:sync_notify(events, remove),
    p(gen_event:which_handlers(events)),
    gen_event:add_handler(events, ?MODULE, 1),
    gen_event:sync_notify(events, crash),
    p(gen_event:which_handlers(events)),
    gen_event:add_handler(events, ?MODULE, 1),
    p(gen_event:swap_handler(events, {?MODULE, swap}, {{?MODULE, new}, 5})),
    p(gen_event:call(events, {?MODULE, new}, get)),
    p(gen_event:add_handler(events, {?MODULE, bad}, fail)),
    p(is_process_alive(P)),
    gen_event:stop(events).

init({N, Old}) -> {ok, {N, Old}};
init(fail) -> {error, cannot};
init(N) -> {ok, N}.
handle_event(remove, _) -> remove_handler;
handle_event(crash, _) -> error(crash);
handle_event(_, S) -> {ok, S}.
handle_call(get, S) -> {ok, S, S}.
terminate(swap, S) -> {swapped, S};
terminate(_, _) -> ok.

p(X) -> io:format("~p~n", [X]).
