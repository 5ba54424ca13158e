%! run: insert_one_by_one:test/0
%! verdict: assertion
%% Seat by seat two groups can each take one and leave both incomplete.
-module(insert_one_by_one).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(seats, [public]),
    Self = self(),
    [spawn(fun() -> Self ! lists:all(fun(S) -> ets:insert_new(T, {S, N}) end, Seats) end)
     || {N, Seats} <- [{a, [1, 2]}, {b, [2, 1]}]],
    L = [receive W -> W end || _ <- [1, 2]],
    ?assert(lists:member(true, L)).
