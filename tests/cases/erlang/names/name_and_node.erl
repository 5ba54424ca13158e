%! run: name_and_node:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 18, transitions = 25, depth = 8
%! stateless(optimal): holds, interleavings = 3
%% Sending to {Name, Node} never fails, whether or not the name is there.
-module(name_and_node).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> register(maybe_here, self()), Self ! ready end),
    {maybe_here, node()} ! hello,
    receive ready -> ok end.
