-module(statem_timeouts).
-behaviour(gen_statem).
-export([main/0, init/1, callback_mode/0, idle/3, busy/3]).

main() ->
    {ok, P} = gen_statem:start_link(?MODULE, self(), []),
    step(P, {event, 10}), wait(),
    step(P, {event, 10}), step(P, nothing), quiet(),
    step(P, {state, 10}), wait(),
    step(P, {state, 10}), step(P, nothing), wait(),
    step(P, {state, 10}), step(P, busy), quiet(), step(P, idle),
    step(P, {generic, a, 10}), step(P, busy), wait(), step(P, idle),
    step(P, {generic, a, 30}), step(P, {generic, b, 10}), wait(), wait(),
    step(P, {generic, a, 10}), step(P, {cancel, a}), quiet(),
    step(P, {generic, a, 10}), step(P, {generic, a, 40}), quiet(), wait(),
    step(P, {generic, a, 10}), step(P, {update, a, fresh}), wait(),
    step(P, {state, 0}), wait(),
    step(P, {event, 0}), wait(),
    step(P, {generic, z, 0}), wait(),
    step(P, {both, 0}), wait(), wait(),
    step(P, {state, infinity}), quiet(),
    step(P, {plain, 5}), wait(),
    gen_statem:stop(P).

step(P, What) -> ok = gen_statem:call(P, What).
wait() -> receive {told, What} -> io:format("~p~n", [What]) end.
quiet() -> receive {told, What} -> io:format("unexpected ~p~n", [What]) after 25 -> io:format("quiet~n") end.

init(To) -> {ok, idle, To}.
callback_mode() -> state_functions.

idle(Type, Content, To) -> common(idle, Type, Content, To).
busy(Type, Content, To) -> common(busy, Type, Content, To).

common(_, {call, F}, Request, To) ->
    Reply = {reply, F, ok},
    case Request of
        nothing -> {keep_state_and_data, Reply};
        {event, T} -> {keep_state_and_data, [Reply, {timeout, T, event}]};
        {plain, T} -> {keep_state_and_data, [Reply, T]};
        {state, T} -> {keep_state_and_data, [Reply, {state_timeout, T, state}]};
        {both, T} -> {keep_state_and_data, [Reply, {state_timeout, T, state}, {{timeout, g}, T, generic}]};
        {generic, N, T} -> {keep_state_and_data, [Reply, {{timeout, N}, T, N}]};
        {cancel, N} -> {keep_state_and_data, [Reply, {{timeout, N}, cancel}]};
        {update, N, C} -> {keep_state_and_data, [Reply, {{timeout, N}, update, C}]};
        State -> {next_state, State, To, Reply}
    end;
common(State, Type, Content, To) ->
    To ! {told, {State, Type, Content}},
    keep_state_and_data.
