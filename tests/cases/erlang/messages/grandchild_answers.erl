%! run: grandchild_answers:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 16, transitions = 25, depth = 7
%! stateless(optimal): holds, interleavings = 1
%% A chain of spawns: the grandchild reports to the first process.
-module(grandchild_answers).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> spawn(fun() -> Self ! {grandchild, self()} end) end),
    receive {grandchild, P} when is_pid(P), P =/= Self -> ok end.
