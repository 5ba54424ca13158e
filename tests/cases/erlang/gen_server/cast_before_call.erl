%! run: cast_before_call:test/0
%! verdict: holds
%% A cast and a call of one client keep their order.
-module(cast_before_call).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, S} = gen_server:start(?MODULE, 0, []),
    gen_server:cast(S, {set, 7}),
    ?assertEqual(7, gen_server:call(S, get, infinity)),
    gen_server:stop(S).

init(N) -> {ok, N}.
handle_call(get, _From, N) -> {reply, N, N}.
handle_cast({set, V}, _) -> {noreply, V}.
