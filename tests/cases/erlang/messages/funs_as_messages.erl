%! run: funs_as_messages:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 10, transitions = 11, depth = 7
%! stateless(optimal): holds, interleavings = 1
%% A fun travels in a message and runs where it is received.
-module(funs_as_messages).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Runner = spawn(fun() -> receive {run, F} -> Self ! {result, F(20)} end end),
    Offset = 22,
    Runner ! {run, fun(N) -> N + Offset end},
    receive {result, R} -> ?assertEqual(42, R) end.
