%! run: sync_notify_waits:test/0
%! verdict: holds
%% sync_notify returns when every handler has seen the event.
-module(sync_notify_waits).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-behaviour(gen_event).
-export([init/1, handle_event/2, handle_call/2]).

test() ->
    {ok, M} = gen_event:start(),
    T = ets:new(t, [public]),
    gen_event:add_handler(M, ?MODULE, T),
    gen_event:sync_notify(M, {seen, 1}),
    L = ets:lookup(T, seen),
    gen_event:stop(M),
    ?assertEqual([{seen, 1}], L).

init(T) -> {ok, T}.
handle_event(E, T) -> ets:insert(T, E), {ok, T}.
handle_call(_, T) -> {ok, ok, T}.
