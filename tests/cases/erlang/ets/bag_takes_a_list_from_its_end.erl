%! run: bag_takes_a_list_from_its_end:test/0
%! verdict: holds
%% The objects of a list go into a bag from the last on, into a duplicate_bag from the first on; single ones as they come.
-module(bag_takes_a_list_from_its_end).
-export([test/0]).
test() ->
    [5, 2, 1, 7] = values(bag, [{k, 5}, [{k, 1}, {k, 5}, {k, 2}], {k, 7}]),
    [2, 1, 3] = values(bag, [[{k, 1}, {k, 1}, {k, 2}, {k, 3}, {k, 1}, {k, 2}]]),
    [1, 2, 1] = values(duplicate_bag, [[{k, 1}, {k, 2}, {k, 1}]]),
    T = ets:new(t, [bag]),
    true = ets:insert_new(T, [{k, 1}, {k, 2}]),
    [{k, 2}, {k, 1}] = ets:lookup(T, k).

values(Type, Inserted) ->
    T = ets:new(t, [Type]),
    [ets:insert(T, It) || It <- Inserted],
    [V || {k, V} <- ets:lookup(T, k)].
