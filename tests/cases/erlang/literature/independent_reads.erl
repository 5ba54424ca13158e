%! run: independent_reads:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 17751, transitions = 56322, depth = 26
%! stateless(optimal): holds, interleavings = 15
%% Two readers of two independent writes never disagree about which came first.
-module(independent_reads).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, [{x, 0}, {y, 0}]),
    Self = self(),
    [spawn(fun() -> ets:insert(T, {W, 1}), Self ! {wrote, W} end) || W <- [x, y]],
    [spawn(fun() ->
        A = ets:lookup_element(T, First, 2),
        B = ets:lookup_element(T, Second, 2),
        Self ! {read, First, {A, B}}
    end) || {First, Second} <- [{x, y}, {y, x}]],
    [receive {wrote, W} -> ok end || W <- [x, y]],
    P = receive {read, x, R1} -> R1 end,
    Q = receive {read, y, R2} -> R2 end,
    ?assertNot(P =:= {1, 0} andalso Q =:= {1, 0}).
