%! run: halt_early:test/0
%! verdict: abnormal_halt
%! stateful(bfs): abnormal_halt, states = 7, transitions = 7, depth = 3
%! stateless(optimal): abnormal_halt, interleavings = 1
%% A process that stops the whole program with a status.
-module(halt_early).
-export([test/0]).

test() ->
    Main = self(),
    spawn(fun() -> Main ! late, halt(3) end),
    receive late -> ok after 10 -> ok end.
