-module(event_sup_handler).
-behaviour(gen_event).
-export([main/0, init/1, handle_event/2, handle_call/2, handle_info/2, terminate/2]).

main() ->
    process_flag(trap_exit, true),
    {ok, M} = gen_event:start({local, bus}),
    Self = self(),
    P = spawn(fun() ->
        ok = gen_event:add_sup_handler(bus, {?MODULE, p}, Self),
        Self ! added,
        receive after infinity -> ok end
    end),
    receive added -> ok end,
    io:format("~p~n", [gen_event:which_handlers(bus)]),
    exit(P, gone),
    receive {terminated, Why} -> io:format("~p~n", [Why]) end,
    io:format("~p~n", [gen_event:which_handlers(bus)]),
    ok = gen_event:add_sup_handler(bus, ?MODULE, Self),
    gen_event:notify(bus, crash),
    receive {terminated, {error, {'EXIT', {crash, _}}}} -> io:format("terminated~n") end,
    receive {gen_event_EXIT, ?MODULE, {'EXIT', {crash, _}}} -> io:format("told~n") end,
    ok = gen_event:add_handler(bus, ?MODULE, Self),
    gen_event:notify(bus, {swap, {?MODULE, new}}),
    receive {terminated, swap} -> io:format("swapped~n") end,
    receive {init, T} -> io:format("~p~n", [T]) end,
    io:format("~p~n", [gen_event:which_handlers(bus)]),
    io:format("~p~n", [gen_event:call(bus, {?MODULE, new}, {swap, ?MODULE})]),
    receive {terminated, swap} -> io:format("swapped~n") end,
    receive {init, T2} -> io:format("~p~n", [T2]) end,
    io:format("~p~n", [gen_event:call(bus, ?MODULE, remove)]),
    receive {terminated, R} -> io:format("~p~n", [R]) end,
    io:format("~p~n", [gen_event:which_handlers(bus)]),
    Ref = monitor(process, M),
    exit(M, kill),
    receive {'DOWN', Ref, _, _, K} -> io:format("~p~n", [K]) end.

init({To, Term}) -> To ! {init, Term}, {ok, To};
init(To) -> {ok, To}.
handle_event(crash, _) -> error(crash);
handle_event({swap, New}, To) -> {swap_handler, swap, To, New, To}.
handle_call({swap, New}, To) -> {swap_handler, ok, swap, To, New, To};
handle_call(remove, _) -> {remove_handler, removed}.
handle_info(_, To) -> {ok, To}.
terminate(Why, To) -> To ! {terminated, Why}, kept.
