%! run: unique_integers_differ:test/0
%! verdict: holds
%% Unique integers of two processes never collide.
-module(unique_integers_differ).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    [spawn(fun() -> Self ! {n, erlang:unique_integer()} end) || _ <- [1, 2]],
    [A, B] = [receive {n, N} -> N end || _ <- [1, 2]],
    ?assert(A =/= B).
