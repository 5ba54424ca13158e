%! run: protected_is_read_only:test/0
%! verdict: abnormal_exit
%% Only the owner of a protected table may write.
-module(protected_is_read_only).
-export([test/0]).

test() ->
    T = ets:new(t, [protected]),
    Self = self(),
    spawn_link(fun() -> ets:insert(T, {k, v}), Self ! done end),
    receive done -> ok end.
