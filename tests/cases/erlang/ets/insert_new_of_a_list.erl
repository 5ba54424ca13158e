%! run: insert_new_of_a_list:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 95, transitions = 183, depth = 14
%! stateless(optimal): holds, interleavings = 4
%% insert_new of a list writes all or nothing.
-module(insert_new_of_a_list).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(seats, [public]),
    Self = self(),
    [spawn(fun() -> Self ! {Seats, ets:insert_new(T, [{S, taken} || S <- Seats])} end) || Seats <- [[1, 2], [2, 3]]],
    L = [receive {_, W} -> W end || _ <- [1, 2]],
    ?assertEqual([false, true], lists:sort(L)),
    ?assertEqual(2, ets:info(T, size)).
