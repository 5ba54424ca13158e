-module(event_manager).
-behaviour(gen_event).
-export([main/0, init/1, handle_event/2, handle_call/2, handle_info/2, terminate/2]).

main() ->
    {ok, P} = gen_event:start_link({local, bus}),
    io:format("~p~n", [gen_event:add_handler(bus, ?MODULE, one)]),
    io:format("~p~n", [gen_event:add_handler(bus, {?MODULE, b}, two)]),
    io:format("~p~n", [gen_event:add_handler(bus, {?MODULE, c}, bad)]),
    io:format("~p~n", [gen_event:which_handlers(bus)]),
    io:format("~p~n", [gen_event:sync_notify(bus, hello)]),
    io:format("~p~n", [{gen_event:notify(P, again), gen_event:which_handlers(P)}]),
    io:format("~p~n", [gen_event:call(bus, ?MODULE, count)]),
    io:format("~p~n", [gen_event:call(bus, {?MODULE, b}, count, 1000)]),
    io:format("~p~n", [gen_event:call(bus, {?MODULE, zz}, count)]),
    bus ! info,
    io:format("~p~n", [gen_event:sync_notify(bus, {remove, two})]),
    io:format("~p~n", [gen_event:which_handlers(bus)]),
    io:format("~p~n", [gen_event:swap_handler(bus, {?MODULE, out}, {{?MODULE, new}, in})]),
    io:format("~p~n", [gen_event:which_handlers(bus)]),
    io:format("~p~n", [gen_event:delete_handler(bus, {?MODULE, new}, bye)]),
    io:format("~p~n", [gen_event:delete_handler(bus, {?MODULE, new}, bye)]),
    io:format("~p~n", [gen_event:add_handler(bus, ?MODULE, three)]),
    io:format("~p~n", [gen_event:sync_notify(bus, crash)]),
    io:format("~p~n", [gen_event:which_handlers(bus)]),
    io:format("~p~n", [gen_event:add_handler(bus, ?MODULE, four)]),
    io:format("~p~n", [element(1, gen_event:call(bus, ?MODULE, crash))]),
    io:format("~p~n", [gen_event:which_handlers(bus)]),
    io:format("~p~n", [gen_event:add_sup_handler(bus, ?MODULE, five)]),
    io:format("~p~n", [gen_event:sync_notify(bus, {remove, five})]),
    receive M1 -> io:format("~p~n", [M1]) end,
    io:format("~p~n", [gen_event:add_handler(bus, ?MODULE, six)]),
    io:format("~p~n", [gen_event:stop(bus)]),
    io:format("~p~n", [whereis(bus)]),
    io:format("~p~n", [catch gen_event:which_handlers(bus)]),
    io:format("~p~n", [element(1, element(2, catch gen_event:notify(bus, x)))]),
    io:format("~p~n", [catch gen_event:call(bus, ?MODULE, count, 10)]),
    io:format("~p~n", [catch gen_event:call(bus, ?MODULE, count)]).

init(bad) -> {error, refused};
init({in, Term}) ->
    io:format("in after ~p~n", [Term]),
    {ok, {swapped, 0}};
init(Name) -> {ok, {Name, 0}}.
handle_event({remove, Name}, {Name, _}) -> remove_handler;
handle_event(crash, _) -> error(crash);
handle_event(E, {Name, N}) ->
    io:format("~p got ~p~n", [Name, E]),
    {ok, {Name, N + 1}}.
handle_call(count, {Name, N}) -> {ok, {Name, N}, {Name, N}};
handle_call(crash, _) -> exit(crash).
handle_info(I, {Name, N}) ->
    io:format("~p info ~p~n", [Name, I]),
    {ok, {Name, N}}.
terminate({error, {'EXIT', _}}, S) ->
    io:format("terminate error ~p~n", [S]),
    gone;
terminate(Why, S) ->
    io:format("terminate ~p ~p~n", [Why, S]),
    {gone, Why}.
