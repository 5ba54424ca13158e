%! run: guard_on_both:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 250, transitions = 630, depth = 13
%! stateless(optimal): holds, interleavings = 6
%% Two guarded clauses split the messages by size; every message fits exactly one.
-module(guard_on_both).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    [spawn(fun() -> Self ! {n, N} end) || N <- [1, 2, 3]],
    Kinds = [receive {n, N} when N rem 2 =:= 0 -> even; {n, N} when is_integer(N) -> odd end || _ <- [1, 2, 3]],
    ?assertEqual([even, odd, odd], lists:sort(Kinds)).
