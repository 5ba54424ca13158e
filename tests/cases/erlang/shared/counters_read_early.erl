%! run: counters_read_early:test/0
%! verdict: assertion
%% The counter is read before both have added.
-module(counters_read_early).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    C = counters:new(1, []),
    Self = self(),
    [spawn(fun() -> counters:add(C, 1, 1), Self ! done end) || _ <- [1, 2]],
    receive done -> ok end,
    V = counters:get(C, 1),
    receive done -> ok end,
    ?assertEqual(2, V).
