%! run: assertion_in_a_child:test/0
%! verdict: assertion
%% An assertion that fails in a child counts as much as one in the first process.
-module(assertion_in_a_child).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    A = atomics:new(1, []),
    Self = self(),
    [spawn_link(fun() -> ?assertEqual(I, atomics:add_get(A, 1, 1)), Self ! done end) || I <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]].
