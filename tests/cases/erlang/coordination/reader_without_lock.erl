%! run: reader_without_lock:test/0
%! verdict: assertion
%% One reader does not take the lock and sees half of a write.
-module(reader_without_lock).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    L = spawn(fun() -> receive {write, P} -> P ! granted, receive done_writing -> ok end end end),
    T = ets:new(t, [public]),
    ets:insert(T, [{a, 0}, {b, 0}]),
    Self = self(),
    spawn(fun() ->
        [{a, A}] = ets:lookup(T, a),
        [{b, B}] = ets:lookup(T, b),
        Self ! {same, A =:= B}
    end),
    L ! {write, self()},
    receive granted -> ok end,
    ets:insert(T, {a, 1}),
    ets:insert(T, {b, 1}),
    L ! done_writing,
    receive {same, S} -> ?assert(S) end.
