%! run: wait_for_the_name:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 13, transitions = 15, depth = 9
%! stateless(optimal): holds, interleavings = 1
%% The child says when it has its name.
-module(wait_for_the_name).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> register(echo, self()), Self ! ready, receive hi -> ok end end),
    receive ready -> echo ! hi end.
