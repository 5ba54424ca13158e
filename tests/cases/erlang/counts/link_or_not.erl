%! run: link_or_not:test/0
%! verdict: abnormal_exit
%! stateful(bfs): abnormal_exit, states = 5, transitions = 4, depth = 4
%! stateless(optimal): abnormal_exit, interleavings = 1
%% Without a link the parent waits; with one it dies with the child.
-module(link_or_not).
-export([test/0]).

test() ->
    Child = spawn_link(fun() -> receive go -> exit(oops) end end),
    Child ! go,
    receive never -> ok end.
