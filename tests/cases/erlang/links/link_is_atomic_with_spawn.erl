%! run: link_is_atomic_with_spawn:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 13, transitions = 18, depth = 6
%! stateless(optimal): holds, interleavings = 1
%% spawn_link leaves no moment in which the child can be gone unlinked.
-module(link_is_atomic_with_spawn).
-export([test/0]).

test() ->
    spawn_link(fun() -> ok end),
    receive after 10 -> ok end.
