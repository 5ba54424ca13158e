%! run: main_ends_first:test/0
%! verdict: abnormal_exit
%% The first process owns the table and does not wait for the child that writes to it.
-module(main_ends_first).
-export([test/0]).

test() ->
    T = ets:new(t, [public]),
    spawn(fun() -> ets:insert(T, {k, v}) end).
