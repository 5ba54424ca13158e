%! run: counts_calls:test/0
%! verdict: holds
%% Calls are handled one at a time, so three increments make three.
-module(counts_calls).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, S} = gen_server:start(?MODULE, 0, []),
    Self = self(),
    [spawn(fun() -> gen_server:call(S, incr, infinity), Self ! done end) || _ <- [1, 2, 3]],
    [receive done -> ok end || _ <- [1, 2, 3]],
    ?assertEqual(3, gen_server:call(S, get, infinity)),
    gen_server:stop(S).

init(N) -> {ok, N}.
handle_call(incr, _From, N) -> {reply, ok, N + 1};
handle_call(get, _From, N) -> {reply, N, N}.
handle_cast(_, N) -> {noreply, N}.
