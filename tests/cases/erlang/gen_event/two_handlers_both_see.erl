%! run: two_handlers_both_see:test/0
%! verdict: holds
%% Every handler sees every event.
-module(two_handlers_both_see).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-behaviour(gen_event).
-export([init/1, handle_event/2, handle_call/2]).

test() ->
    {ok, M} = gen_event:start(),
    ok = gen_event:add_handler(M, {?MODULE, a}, 0),
    ok = gen_event:add_handler(M, {?MODULE, b}, 10),
    gen_event:notify(M, tick),
    ?assertEqual(1, gen_event:call(M, {?MODULE, a}, count, infinity)),
    ?assertEqual(11, gen_event:call(M, {?MODULE, b}, count, infinity)),
    gen_event:stop(M).

init(N) -> {ok, N}.
handle_event(tick, N) -> {ok, N + 1}.
handle_call(count, N) -> {ok, N, N}.
