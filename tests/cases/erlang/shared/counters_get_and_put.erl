%! run: counters_get_and_put:test/0
%! verdict: assertion
%% Reading and putting back is not.
-module(counters_get_and_put).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    C = counters:new(1, []),
    Self = self(),
    [spawn(fun() -> counters:put(C, 1, counters:get(C, 1) + N), Self ! done end) || N <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual(3, counters:get(C, 1)).
