%! run: crashed_handler_is_removed:test/0
%! verdict: holds
%% A handler that fails is taken out; the manager and the other handlers live on.
-module(crashed_handler_is_removed).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-behaviour(gen_event).
-export([init/1, handle_event/2, handle_call/2]).

test() ->
    {ok, M} = gen_event:start(),
    ok = gen_event:add_handler(M, {?MODULE, weak}, 0),
    ok = gen_event:add_handler(M, {?MODULE, strong}, 1),
    ok = gen_event:sync_notify(M, tick),
    ?assertEqual([{?MODULE, strong}], gen_event:which_handlers(M)),
    gen_event:stop(M).

init(N) -> {ok, N}.
handle_event(tick, N) -> {ok, 10 div N}.
handle_call(count, N) -> {ok, N, N}.
