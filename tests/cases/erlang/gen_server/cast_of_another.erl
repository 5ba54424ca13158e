%! run: cast_of_another:test/0
%! verdict: assertion
%% The cast of another process may come after the call.
-module(cast_of_another).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, S} = gen_server:start(?MODULE, 0, []),
    spawn(fun() -> gen_server:cast(S, {set, 7}) end),
    V = gen_server:call(S, get, infinity),
    gen_server:stop(S),
    ?assertEqual(7, V).

init(N) -> {ok, N}.
handle_call(get, _From, N) -> {reply, N, N}.
handle_cast({set, V}, _) -> {noreply, V}.
