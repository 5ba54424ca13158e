%! run: one_of_three_is_first:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 148, transitions = 379, depth = 11
%! stateless(optimal): holds, interleavings = 3
%% Three notices and one receive for any: three ways to begin, whatever comes after.
-module(one_of_three_is_first).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 2, 3]],
    receive N -> ?assert(N >= 1 andalso N =< 3) end.
