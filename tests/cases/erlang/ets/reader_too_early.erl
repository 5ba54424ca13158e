%! run: reader_too_early:test/0
%! verdict: abnormal_exit
%% The reader may look before the writer has written.
-module(reader_too_early).
-export([test/0]).

test() ->
    T = ets:new(t, [public]),
    Self = self(),
    spawn(fun() -> ets:insert(T, {k, 1}), Self ! done end),
    [{k, 1}] = ets:lookup(T, k),
    receive done -> ok end.
