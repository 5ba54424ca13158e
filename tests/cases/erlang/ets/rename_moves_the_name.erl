%! run: rename_moves_the_name:test/0
%! verdict: abnormal_exit
%% After rename the old name is unknown, and a user of it may be late.
-module(rename_moves_the_name).
-export([test/0]).

test() ->
    ets:new(old_name, [named_table, public]),
    Self = self(),
    spawn(fun() -> ets:insert(old_name, {k, v}), Self ! done end),
    ets:rename(old_name, new_name),
    receive done -> ok after 10 -> ok end.
