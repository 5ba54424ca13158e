%% An event manager with two handlers.
-module(gen_event_basic).
-export([main/0]).
-behaviour(gen_event).
-export([init/1, handle_event/2, handle_call/2, handle_info/2, terminate/2]).

main() ->
    {ok, P} = gen_event:start_link(),
    p(gen_event:add_handler(P, ?MODULE, {one, self()})),
    p(gen_event:add_handler(P, {?MODULE, 2}, {two, self()})),
    p(gen_event:notify(P, hello)), p(gen_event:sync_notify(P, there)),
    p(gen_event:call(P, ?MODULE, count)), p(gen_event:call(P, {?MODULE, 2}, count)),
    p(gen_event:call(P, nohandler, x)),
    p(lists:sort(gen_event:which_handlers(P))),
    p(gen_event:delete_handler(P, ?MODULE, bye)),
    p(gen_event:delete_handler(P, ?MODULE, bye)),
    P ! info_message,
    p(gen_event:call(P, {?MODULE, 2}, count)),
    p(gen_event:stop(P)),
    p(lists:sort(all())).

all() -> receive {N, X} -> [{N, X} | all()] after 0 -> [] end.

init({N, T}) -> {ok, {N, T, 0}}.
handle_event(E, {N, T, C}) -> T ! {N, E}, {ok, {N, T, C + 1}}.
handle_call(count, {_, _, C} = S) -> {ok, C, S}.
handle_info(I, {N, T, C}) -> T ! {N, {info, I}}, {ok, {N, T, C + 1}}.
terminate(R, {N, T, _}) -> T ! {N, {terminate, R}}, {terminated, N}.

p(X) -> io:format("~p~n", [X]).
