%! run: private_cannot_be_read:test/0
%! verdict: abnormal_exit
%% A private table is for its owner only.
-module(private_cannot_be_read).
-export([test/0]).

test() ->
    T = ets:new(t, [private]),
    Self = self(),
    spawn_link(fun() -> Self ! ets:lookup(T, k) end),
    receive _ -> ok end.
