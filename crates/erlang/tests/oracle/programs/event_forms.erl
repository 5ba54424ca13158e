%% Every way to start, ask and stop an event manager.
-module(event_forms).
-behaviour(gen_event).
-export([main/0, init/1, handle_event/2, handle_call/2, terminate/2]).

main() ->
    process_flag(trap_exit, true),
    {ok, A} = gen_event:start([]),
    {ok, B} = gen_event:start({local, events_b}, []),
    {ok, C} = gen_event:start_link({local, events_c}, []),
    {ok, {D, DM}} = gen_event:start_monitor(),
    {ok, {E, EM}} = gen_event:start_monitor({local, events_e}),
    {ok, {F, FM}} = gen_event:start_monitor({local, events_f}, []),
    p([gen_event:add_handler(M, ?MODULE, N) || {M, N} <- [{A, a}, {events_b, b}, {C, c}, {D, d}, {E, e}, {F, f}]]),
    p([gen_event:call(M, ?MODULE, name) || M <- [A, B, C, D, E, events_f]]),
    R1 = gen_event:send_request(A, ?MODULE, name),
    p(gen_event:wait_response(R1, 1000)),
    R2 = gen_event:send_request(A, ?MODULE, name),
    p(gen_event:receive_response(R2, 1000)),
    R3 = gen_event:send_request(A, ?MODULE, name),
    receive Message -> p(gen_event:check_response(Message, R3)) end,
    p(gen_event:add_sup_handler(B, {?MODULE, watched}, w)),
    p(gen_event:swap_sup_handler(B, {{?MODULE, watched}, swap}, {{?MODULE, watched}, new})),
    p(gen_event:call(B, {?MODULE, watched}, name)),
    p(gen_event:stop(A)),
    p(gen_event:stop(B, normal, 1000)),
    p(gen_event:stop(C, shutdown, infinity)),
    p([gen_event:stop(M) || M <- [D, E, F]]),
    p([receive {'DOWN', M, process, _, R} -> R end || M <- [DM, EM, FM]]).

init({Name, Left}) -> {ok, {Name, Left}};
init(Name) -> {ok, Name}.
handle_event(_, Name) -> {ok, Name}.
handle_call(name, Name) -> {ok, Name, Name}.
terminate(swap, Name) -> {left, Name};
terminate(_, _) -> ok.

p(X) -> io:format("~p~n", [X]).
