%! run: queue_pop_races:test/0
%! verdict: abnormal_exit
%% Two consumers look at the first key of a queue and both pop it; one finds it gone.
-module(queue_pop_races).
-export([test/0]).

test() ->
    T = ets:new(queue, [ordered_set, public]),
    ets:insert(T, [{1, a}, {2, b}]),
    Self = self(),
    [spawn(fun() ->
        K = ets:first(T),
        [{K, _}] = ets:take(T, K),
        Self ! done
    end) || _ <- [1, 2]],
    [receive done -> ok after 10 -> ok end || _ <- [1, 2]].
