%! run: delete_table_races:test/0
%! verdict: abnormal_exit
%% The table may be deleted before the child writes.
-module(delete_table_races).
-export([test/0]).

test() ->
    T = ets:new(t, [public]),
    spawn(fun() -> ets:insert(T, {k, v}) end),
    ets:delete(T).
