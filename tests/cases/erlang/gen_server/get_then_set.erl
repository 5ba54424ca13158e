%! run: get_then_set:test/0
%! verdict: assertion
%% A server does not help against lost updates when reading and writing are two calls.
-module(get_then_set).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, S} = gen_server:start(?MODULE, 0, []),
    Self = self(),
    [spawn(fun() ->
        V = gen_server:call(S, get, infinity),
        gen_server:call(S, {set, V + 1}, infinity),
        Self ! done
    end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    V = gen_server:call(S, get, infinity),
    gen_server:stop(S),
    ?assertEqual(2, V).

init(N) -> {ok, N}.
handle_call(get, _From, N) -> {reply, N, N};
handle_call({set, V}, _From, _) -> {reply, ok, V}.
handle_cast(_, N) -> {noreply, N}.
