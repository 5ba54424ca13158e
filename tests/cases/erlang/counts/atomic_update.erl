%! run: atomic_update:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 51, transitions = 94, depth = 15
%! stateless(optimal): holds, interleavings = 4
%% update_counter is one operation, so nothing is lost.
-module(atomic_update).
-export([test/0]).

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {n, 0}),
    Main = self(),
    Add = fun() -> ets:update_counter(T, n, 1), Main ! done end,
    spawn(Add), spawn(Add),
    receive done -> ok end, receive done -> ok end,
    [{n, 2}] = ets:lookup(T, n).
