%! run: handler_added_late:test/0
%! verdict: assertion
%% An event that comes before its handler is not kept for it.
-module(handler_added_late).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-behaviour(gen_event).
-export([init/1, handle_event/2, handle_call/2]).

test() ->
    {ok, M} = gen_event:start(),
    spawn(fun() -> gen_event:notify(M, tick) end),
    ok = gen_event:add_handler(M, ?MODULE, 0),
    N = gen_event:call(M, ?MODULE, count, infinity),
    gen_event:stop(M),
    ?assertEqual(1, N).

init(N) -> {ok, N}.
handle_event(tick, N) -> {ok, N + 1}.
handle_call(count, N) -> {ok, N, N}.
