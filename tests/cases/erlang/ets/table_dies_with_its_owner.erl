%! run: table_dies_with_its_owner:test/0
%! verdict: abnormal_exit
%% The owner may end, and its table with it, before the user writes.
-module(table_dies_with_its_owner).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> ets:new(shared, [named_table, public]), Self ! ready end),
    receive ready -> ok end,
    ets:insert(shared, {k, v}).
