%! run: nested_receive:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 31, transitions = 55, depth = 9
%! stateless(optimal): holds, interleavings = 1
%% A receive inside a clause of another: the inner one finds the message that was there before.
-module(nested_receive).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> Self ! inner end),
    spawn(fun() -> Self ! outer end),
    receive
        outer ->
            receive inner -> ok end
    end.
