%! run: door:test/0
%! verdict: holds
%% A door of the older kind of state machine: events in a state and in any state, questions, timers and timeouts. The
%% client waits for each answer, so whatever the timers do, the door ends locked and is stopped.
-module(door).
-behaviour(gen_fsm).
-concuerror_options([{after_timeout, 5000}]).
-export([test/0, init/1, closed/2, closed/3, open/2, open/3, locked/3, handle_event/3, handle_sync_event/4,
         handle_info/3, terminate/3, code_change/4]).

test() ->
    {ok, Door} = gen_fsm:start({local, door}, ?MODULE, self(), []),
    {error, {already_started, Door}} = gen_fsm:start({local, door}, ?MODULE, self(), []),
    closed = gen_fsm:sync_send_all_state_event(door, which),
    ok = gen_fsm:send_event(door, push),
    open = gen_fsm:sync_send_event(door, which),
    door ! knock,
    receive knocked -> ok end,
    ok = gen_fsm:send_all_state_event(Door, close),
    receive {shut, timer} -> ok end,
    locked = gen_fsm:sync_send_event(Door, lock, infinity),
    {locked, 1} = sys:get_state(Door),
    Monitor = monitor(process, Door),
    bye = gen_fsm:sync_send_event(Door, stop),
    receive {ended, normal, locked} -> ok end,
    receive {'DOWN', Monitor, process, Door, normal} -> ok end,
    {'EXIT', {noproc, {gen_fsm, sync_send_event, [door, lock]}}} = (catch gen_fsm:sync_send_event(door, lock)).

init(Client) ->
    put(client, Client),
    {ok, closed, 0}.

closed(push, N) -> {next_state, open, N};
closed({timeout, _, shut}, N) ->
    get(client) ! {shut, timer},
    {next_state, closed, N}.
closed(lock, From, N) ->
    gen_fsm:reply(From, locked),
    {next_state, locked, N + 1}.

open(push, N) -> {next_state, open, N}.
open(which, _, N) -> {reply, open, open, N}.

locked(stop, _, N) -> {stop, normal, bye, N}.

handle_event(close, _, N) ->
    gen_fsm:start_timer(10, shut),
    {next_state, closed, N}.

handle_sync_event(which, _, StateName, N) -> {reply, StateName, StateName, N}.

handle_info(knock, StateName, N) ->
    get(client) ! knocked,
    {next_state, StateName, N}.

terminate(Reason, StateName, _) -> get(client) ! {ended, Reason, StateName}.

code_change(_, StateName, N, _) -> {ok, StateName, N}.
