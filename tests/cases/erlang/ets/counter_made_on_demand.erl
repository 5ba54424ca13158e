%! run: counter_made_on_demand:test/0
%! verdict: holds
%! stateless(optimal): holds, interleavings = 8
%% Whoever finds no counter makes one, unless another was faster. That the counter is there does not depend on how far it
%% has counted, so the failed attempt to make it does not race with counting.
-module(counter_made_on_demand).
-export([test/0]).

test() ->
    ets:new(counts, [named_table, public]),
    Me = self(),
    [spawn(fun() -> count(), Me ! counted end) || _ <- [1, 2]],
    [receive counted -> ok end || _ <- [1, 2]],
    true = ets:lookup_element(counts, visits, 2) > 0.

count() ->
    try ets:update_counter(counts, visits, 1)
    catch error:badarg ->
        ets:insert_new(counts, {visits, 1}) orelse ets:update_counter(counts, visits, 1)
    end.
