%! run: one_speaks_first:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 10, transitions = 11, depth = 7
%! stateless(optimal): holds, interleavings = 1
%% The same handshake with the parent starting: no circle of waiting.
-module(one_speaks_first).
-export([test/0]).

test() ->
    Self = self(),
    Child = spawn(fun() -> receive b -> Self ! a end end),
    Child ! b,
    receive a -> ok end.
