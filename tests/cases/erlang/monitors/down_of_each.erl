%! run: down_of_each:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 19, transitions = 26, depth = 9
%! stateless(optimal): holds, interleavings = 1
%% Waiting by reference makes the order of ends unimportant.
-module(down_of_each).
-export([test/0]).

test() ->
    Refs = [element(2, spawn_monitor(fun() -> ok end)) || _ <- [1, 2]],
    [receive {'DOWN', R, process, _, normal} -> ok end || R <- Refs].
