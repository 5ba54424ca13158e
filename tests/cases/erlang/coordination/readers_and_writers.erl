%! run: readers_and_writers:test/0
%! verdict: holds
%% A lock for many readers or one writer: the writer is always alone.
-module(readers_and_writers).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    L = spawn(fun() -> idle(3) end),
    T = ets:new(t, [public]),
    ets:insert(T, [{a, 0}, {b, 0}]),
    Self = self(),
    [spawn(fun() ->
        L ! {read, self()},
        receive granted -> ok end,
        [{a, A}] = ets:lookup(T, a),
        [{b, B}] = ets:lookup(T, b),
        L ! done_reading,
        Self ! {same, A =:= B}
    end) || _ <- [1, 2]],
    L ! {write, self()},
    receive granted -> ok end,
    ets:insert(T, {a, 1}),
    ets:insert(T, {b, 1}),
    L ! done_writing,
    [receive {same, S} -> ?assert(S) end || _ <- [1, 2]].

idle(0) -> ok;
idle(K) ->
    receive
        {read, P} -> P ! granted, reading(1, K);
        {write, P} -> P ! granted, receive done_writing -> idle(K - 1) end
    end.

reading(0, K) -> idle(K);
reading(N, K) ->
    receive
        {read, P} -> P ! granted, reading(N + 1, K);
        done_reading -> reading(N - 1, K - 1)
    end.
