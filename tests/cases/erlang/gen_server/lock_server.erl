%! run: lock_server:test/0
%! verdict: holds
%% A lock as a server: the waiting callers are kept in a queue and answered in turn.
-module(lock_server).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, S} = gen_server:start(?MODULE, free, []),
    T = ets:new(inside, [public]),
    ets:insert(T, {n, 0}),
    Self = self(),
    [spawn(fun() ->
        ok = gen_server:call(S, lock, infinity),
        ?assertEqual(1, ets:update_counter(T, n, 1)),
        ets:update_counter(T, n, -1),
        gen_server:cast(S, unlock),
        Self ! done
    end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    gen_server:stop(S).

init(S) -> {ok, S}.
handle_call(lock, _From, free) -> {reply, ok, []};
handle_call(lock, From, Waiting) -> {noreply, Waiting ++ [From]}.
handle_cast(unlock, []) -> {noreply, free};
handle_cast(unlock, [Next | Rest]) -> gen_server:reply(Next, ok), {noreply, Rest}.
