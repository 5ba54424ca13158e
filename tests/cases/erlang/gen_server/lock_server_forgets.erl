%! run: lock_server_forgets:test/0
%! verdict: deadlock
%% On unlock this lock becomes free but forgets who is waiting.
-module(lock_server_forgets).
-export([test/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, S} = gen_server:start(?MODULE, free, []),
    Self = self(),
    [spawn(fun() ->
        ok = gen_server:call(S, lock, infinity),
        gen_server:cast(S, unlock),
        Self ! done
    end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    gen_server:stop(S).

init(S) -> {ok, S}.
handle_call(lock, _From, free) -> {reply, ok, []};
handle_call(lock, From, Waiting) -> {noreply, [From | Waiting]}.
handle_cast(unlock, _Waiting) -> {noreply, free}.
