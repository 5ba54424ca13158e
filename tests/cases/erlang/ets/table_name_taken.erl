%! run: table_name_taken:test/0
%! verdict: abnormal_exit
%% Two tables of one name cannot live at the same time.
-module(table_name_taken).
-export([test/0]).

test() ->
    [spawn(fun() -> ets:new(single, [named_table]), receive after 10 -> ok end end) || _ <- [1, 2]].
