-module(statem_events).
-behaviour(gen_statem).
-export([main/0, init/1, callback_mode/0, handle_event/4, terminate/3]).

main() ->
    {ok, P} = gen_statem:start(?MODULE, [], []),
    _ = sys:get_state(P),
    io:format("~p~n", [settled(P, {go, {a, 1}})]),
    io:format("~p~n", [settled(P, {go, {a, 1}})]),
    io:format("~p~n", [settled(P, repeat)]),
    io:format("~p~n", [gen_statem:call(P, insert)]),
    io:format("~p~n", [settled(P, {go, b})]),
    io:format("~p~n", [gen_statem:call(P, later)]),
    io:format("~p~n", [gen_statem:call(P, two)]),
    io:format("~p~n", [begin {'EXIT', {timeout, {gen_statem, call, [P, slow, 5]}}} = (catch gen_statem:call(P, slow, 5)), timeout end]),
    io:format("~p~n", [gen_statem:call(P, {stop, bye})]),
    io:format("~p~n", [catch gen_statem:call(gone, x)]),
    {ok, Q} = gen_statem:start(?MODULE, [], []),
    Ref = monitor(process, Q),
    gen_statem:cast(Q, crash),
    receive {'DOWN', Ref, _, _, {crashed, [_ | _]}} -> io:format("crashed~n") end,
    {ok, R} = gen_statem:start(?MODULE, [], []),
    Ref2 = monitor(process, R),
    gen_statem:cast(R, bad),
    receive {'DOWN', Ref2, _, _, Why} -> io:format("~p~n", [element(1, Why)]) end,
    io:format("~p~n", [gen_statem:start(?MODULE, stop, [])]),
    io:format("~p~n", [gen_statem:start(?MODULE, ignore, [])]),
    io:format("~p~n", [gen_statem:start(?MODULE, odd, [])]),
    io:format("~p~n", [gen_statem:start(?MODULE, exit, [])]),
    io:format("~p~n", [gen_statem:start(?MODULE, error, [])]).

%% The answer, when all that follows from the request has happened.
settled(P, Request) ->
    Reply = gen_statem:call(P, Request),
    _ = sys:get_state(P),
    Reply.

init([]) -> {ok, start, 0, [{next_event, internal, first}]};
init(stop) -> {stop, no};
init(ignore) -> ignore;
init(odd) -> odd;
init(exit) -> exit(left);
init(error) -> error(broken).
callback_mode() -> [handle_event_function, state_enter].

handle_event(enter, Old, New, N) ->
    io:format("enter ~p from ~p~n", [New, Old]),
    {keep_state, N + 1};
handle_event(internal, first, start, _) ->
    io:format("first~n"),
    keep_state_and_data;
handle_event({call, F}, {go, To}, _, N) -> {next_state, To, N, [{reply, F, N}]};
handle_event({call, F}, repeat, _, N) -> {repeat_state, N, [{reply, F, N}]};
handle_event({call, F}, insert, _, N) ->
    {keep_state, N, [{next_event, internal, {one, F}}, {next_event, internal, {two, F}}]};
handle_event(internal, {one, _}, _, N) ->
    io:format("one~n"),
    {keep_state, N, [{next_event, internal, three}]};
handle_event(internal, {two, F}, _, N) ->
    io:format("two~n"),
    {keep_state_and_data, [{reply, F, {inserted, N}}]};
handle_event(internal, three, _, _) ->
    io:format("three~n"),
    keep_state_and_data;
handle_event({call, F}, later, _, _) ->
    self() ! {later, F},
    keep_state_and_data;
handle_event(info, {later, F}, _, _) ->
    gen_statem:reply(F, later),
    keep_state_and_data;
handle_event({call, F}, two, S, N) -> {next_state, S, N, [{reply, F, two}, hibernate]};
handle_event({call, _}, slow, _, _) -> keep_state_and_data;
handle_event({call, F}, {stop, Reply}, _, _) -> {stop_and_reply, normal, [{reply, F, Reply}]};
handle_event(cast, crash, _, _) -> error(crashed);
handle_event(cast, bad, _, _) -> rubbish.

terminate(Reason, State, N) when is_atom(Reason) -> io:format("terminate ~p ~p ~p~n", [Reason, State, N]);
terminate(_, State, N) -> io:format("terminate ~p ~p~n", [State, N]).
