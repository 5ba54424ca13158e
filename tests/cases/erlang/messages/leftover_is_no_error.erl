%! run: leftover_is_no_error:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 9, transitions = 10, depth = 6
%! stateless(optimal): holds, interleavings = 1
%% A message nobody receives is lost with its process, which is not an error.
-module(leftover_is_no_error).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> Self ! noise, Self ! done end),
    receive done -> ok end.
