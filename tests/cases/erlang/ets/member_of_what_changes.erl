%! run: member_of_what_changes:test/0
%! verdict: holds
%! stateless(optimal): holds, interleavings = 1
%% One process counts, another asks whether the counter is there: it is, in every order, and there is one run.
-module(member_of_what_changes).
-export([test/0]).

test() ->
    ets:new(counts, [named_table, public]),
    ets:insert(counts, {visits, 0}),
    {_, Counts} = spawn_monitor(fun() -> ets:update_counter(counts, visits, 1) end),
    {_, Asks} = spawn_monitor(fun() -> true = ets:member(counts, visits) end),
    [receive {'DOWN', Ref, process, _, normal} -> ok end || Ref <- [Counts, Asks]].
