%% A named, linked event manager; calls with a timeout; a supervised handler.
-module(event_manager_named).
-export([main/0]).
-behaviour(gen_event).
-export([init/1, handle_event/2, handle_call/2]).

main() ->
    {ok, P} = gen_event:start_link({local, manager}),
    p(whereis(manager) =:= P),
    p(gen_event:add_sup_handler(manager, ?MODULE, 1)),
    p(gen_event:call(manager, ?MODULE, get, 1000)),
    gen_event:notify(manager, leave),
    receive {gen_event_EXIT, H, R} -> p({H, R}) end,
    p(gen_event:which_handlers(manager)),
    gen_event:stop(manager).

init(N) -> {ok, N}.
handle_event(leave, _) -> remove_handler;
handle_event(_, N) -> {ok, N}.
handle_call(get, N) -> {ok, N, N}.

p(X) -> io:format("~p~n", [X]).
