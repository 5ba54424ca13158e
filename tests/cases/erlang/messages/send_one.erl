%! run: send_one:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 8, transitions = 9, depth = 5
%! stateless(optimal): holds, interleavings = 1
%% One message from a child: whatever the order, the parent gets it.
-module(send_one).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> Self ! hello end),
    receive hello -> ok end.
