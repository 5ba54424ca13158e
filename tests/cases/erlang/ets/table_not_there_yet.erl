%! run: table_not_there_yet:test/0
%! verdict: abnormal_exit
%% The table may not be there yet when its name is looked up.
-module(table_not_there_yet).
-export([test/0]).

test() ->
    Self = self(),
    Owner = spawn(fun() -> ets:new(tab, [named_table]), Self ! ready, receive stop -> ok after 10 -> ok end end),
    true = is_reference(ets:whereis(tab)),
    receive ready -> Owner ! stop end.
