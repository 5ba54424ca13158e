%! run: normal_exit_is_harmless:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 14, transitions = 19, depth = 7
%! stateless(optimal): holds, interleavings = 1
%% A linked child that ends normally does not disturb its parent.
-module(normal_exit_is_harmless).
-export([test/0]).

test() ->
    Self = self(),
    spawn_link(fun() -> Self ! done end),
    receive done -> ok end.
