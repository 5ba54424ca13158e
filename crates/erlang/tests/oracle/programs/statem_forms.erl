%% Every way to start, ask and stop a state machine.
-module(statem_forms).
-behaviour(gen_statem).
-export([main/0, init/1, callback_mode/0, handle_event/4, enter/1, enter_named/1]).

main() ->
    process_flag(trap_exit, true),
    {ok, A} = gen_statem:start(?MODULE, a, []),
    {ok, B} = gen_statem:start({local, statem_b}, ?MODULE, b, []),
    {ok, {C, CM}} = gen_statem:start_monitor(?MODULE, c, []),
    {ok, {D, DM}} = gen_statem:start_monitor({local, statem_d}, ?MODULE, d, []),
    p([gen_statem:call(P, name) || P <- [A, B, statem_b, C, D, statem_d]]),
    R1 = gen_statem:send_request(A, name),
    p(gen_statem:wait_response(R1)),
    R2 = gen_statem:send_request(A, name),
    p(gen_statem:wait_response(R2, 1000)),
    R3 = gen_statem:send_request(A, name),
    p(gen_statem:receive_response(R3)),
    R4 = gen_statem:send_request(A, name),
    p(gen_statem:receive_response(R4, infinity)),
    R5 = gen_statem:send_request(A, name),
    receive Message -> p(gen_statem:check_response(Message, R5)) end,
    Q0 = gen_statem:reqids_new(),
    Q1 = gen_statem:send_request(A, name, la, Q0),
    Q2 = gen_statem:reqids_add(gen_statem:send_request(B, name), lb, Q1),
    p(gen_statem:reqids_size(Q2)),
    p(lists:sort([Label || {_, Label} <- gen_statem:reqids_to_list(Q2)])),
    {X, XL, Q3} = gen_statem:receive_response(Q2, 1000, true),
    {Y, YL, Q4} = gen_statem:wait_response(Q3, 1000, true),
    p(lists:sort([{XL, X}, {YL, Y}])),
    p(gen_statem:wait_response(Q4, 0, true)),
    Q5 = gen_statem:send_request(A, name, again, Q4),
    receive Other -> {Z, ZL, _} = gen_statem:check_response(Other, Q5, true), p({ZL, Z}) end,
    p(gen_statem:stop(A)),
    p(gen_statem:stop(B, shutdown, 1000)),
    p(gen_statem:stop(C)),
    receive {'DOWN', CM, process, C, RC} -> p(RC) end,
    p(gen_statem:stop(D, {shutdown, done}, infinity)),
    receive {'DOWN', DM, process, D, RD} -> p(RD) end,
    {ok, E} = proc_lib:start_link(?MODULE, enter, [self()]),
    p(gen_statem:call(E, name)),
    p(gen_statem:stop(E)),
    {ok, F} = proc_lib:start_link(?MODULE, enter_named, [self()]),
    p(gen_statem:call(statem_f, name)),
    p(gen_statem:stop(F)).

enter(Parent) ->
    proc_lib:init_ack(Parent, {ok, self()}),
    gen_statem:enter_loop(?MODULE, [], on, e, self()).

enter_named(Parent) ->
    register(statem_f, self()),
    proc_lib:init_ack(Parent, {ok, self()}),
    gen_statem:enter_loop(?MODULE, [], on, f, {local, statem_f}, []).

init(Name) -> {ok, on, Name}.
callback_mode() -> handle_event_function.
handle_event({call, From}, name, on, Name) ->
    gen_statem:reply({reply, From, Name}),
    keep_state_and_data.

p(X) -> io:format("~p~n", [X]).
